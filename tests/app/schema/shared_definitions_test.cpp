#include "app/schema/shared_definitions.hpp"

#include <gtest/gtest.h>

namespace dse::app {
namespace {

Json parsed(const char* text) {
    return Json::parse(text);
}

TEST(SharedDefinitions, APartThatStandsTwiceIsWrittenOnce) {
    const Json shared = with_shared_definitions(parsed(R"({"type": "object", "properties": {
        "up": {"type": "string", "pattern": "^[0-9]+ (GB/s|GiB/s|Gbps|MB/s)$", "description": "to others"},
        "down": {"type": "string", "pattern": "^[0-9]+ (GB/s|GiB/s|Gbps|MB/s)$", "description": "from others"},
        "name": {"type": "string"}, "title": {"type": "string"}}})"));
    EXPECT_EQ(shared, parsed(R"({"type": "object", "properties": {
        "up": {"$ref": "#/$defs/up", "description": "to others"},
        "down": {"$ref": "#/$defs/up", "description": "from others"},
        "name": {"type": "string"}, "title": {"type": "string"}},
        "$defs": {"up": {"type": "string", "pattern": "^[0-9]+ (GB/s|GiB/s|Gbps|MB/s)$"}}})"))
        << "what is as short as a reference stays";
}

/// The inner part stands twice only because the outer one does: it needs no name of its own.
TEST(SharedDefinitions, PartsOfWhatIsSharedStayWithIt) {
    const Json shared = with_shared_definitions(parsed(R"({"properties": {
        "a/b": {"type": "array", "items": {"type": "string", "pattern": "^a pattern of more than sixty letters, to be sure$"}},
        "c": {"type": "array", "items": {"type": "string", "pattern": "^a pattern of more than sixty letters, to be sure$"}}}})"));
    EXPECT_EQ(shared["properties"]["a/b"]["$ref"], "#/$defs/a_b");
    EXPECT_EQ(shared["properties"]["c"], shared["properties"]["a/b"]);
    ASSERT_EQ(shared["$defs"].size(), 1U);
    EXPECT_EQ(shared["$defs"]["a_b"]["items"]["type"], "string");
}

/// Two maps of properties may be alike, and are no schemas: a $ref in one would be a property of that name.
TEST(SharedDefinitions, OnlySchemasAreShared) {
    const Json shared = with_shared_definitions(parsed(R"({"properties": {
        "a": {"type": "object", "required": ["x"], "properties": {"x": {"enum": ["one", "two", "three", "four", "five", "six", "seven", "eight"]}}},
        "b": {"type": "object", "required": [], "properties": {"x": {"enum": ["one", "two", "three", "four", "five", "six", "seven", "eight"]}}}}})"));
    EXPECT_EQ(shared["properties"]["a"]["properties"]["x"], parsed(R"({"$ref": "#/$defs/x"})"));
    EXPECT_EQ(shared["properties"]["b"]["properties"]["x"], parsed(R"({"$ref": "#/$defs/x"})"));
}

TEST(SharedDefinitions, NamesThatAreTakenGetANumber) {
    const Json shared = with_shared_definitions(parsed(R"({"$defs": {"x": {"type": "null"}}, "properties": {
        "x": {"enum": ["one", "two", "three", "four", "five", "six", "seven", "eight"]},
        "y": {"enum": ["one", "two", "three", "four", "five", "six", "seven", "eight"]}}})"));
    EXPECT_EQ(shared["properties"]["y"]["$ref"], "#/$defs/x_2");
    EXPECT_EQ(shared["$defs"]["x"]["type"], "null");
}

}  // namespace
}  // namespace dse::app
