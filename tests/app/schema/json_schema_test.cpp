// Also tests: schema/schema_kinds.cpp, commands/schema.cpp
#include "app/schema/json_schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "app/schema/schema_kinds.hpp"
#include "dse/hardware/device/memory_spec.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using test::run_app;
using testing::HasSubstr;

TEST(JsonSchema, ComesFromTheDeclarations) {
    const config::Library library = config::Library::standard("");
    const Json schema = object_schema(config::outline_of<hardware::MemorySpec>(), Demand::all, library);
    EXPECT_FALSE(schema["additionalProperties"].get<bool>());
    EXPECT_THAT(schema["required"].dump(), HasSubstr("capacity"));
    const Json capacity = schema["properties"]["capacity"];
    EXPECT_THAT(capacity["description"].get<std::string>(), HasSubstr("of one device"));
    EXPECT_EQ(capacity["anyOf"][0]["type"], "string") << "a quantity has a unit";
    EXPECT_EQ(capacity["anyOf"][1]["required"], Json::array({"value"})) << "or stands beside its source";
    EXPECT_FALSE(object_schema(config::outline_of<hardware::MemorySpec>(), Demand::nothing, library)
                     .contains("required"));
}

TEST(JsonSchema, OffersNamesOfTheLibrary) {
    const Json schema = schema_of("sweep", config::Library::standard(""));
    const auto resolved = [&](const Json& part) {
        if (!part.contains("$ref")) return part;
        return schema.at(Json::json_pointer(part["$ref"].get<std::string>().substr(1)));
    };
    const Json system = resolved(schema["properties"]["system"]);
    const Json name = resolved(resolved(system["properties"]["cluster"])["anyOf"][0]);
    EXPECT_THAT(name["examples"].dump(), HasSubstr("h100_ndr400"));
}

TEST(JsonSchema, OfAllKindsIsPrinted) {
    for (const SchemaKind& kind : schema_kinds()) {
        const auto outcome = run_app({"schema", kind.name});
        ASSERT_EQ(outcome.code, 0) << kind.name;
        EXPECT_EQ(outcome.json()["title"], "dse " + kind.name);
    }
    EXPECT_THAT(run_app({"schema", "swep"}).err, HasSubstr("'sweep'"));
    const dse::test::TemporaryFolder folder;
    EXPECT_EQ(run_app({"schema", "model", "-o", folder.path("m.json")}).code, 0);
    EXPECT_EQ(run_app({"schema", "model", "-o", folder.path("m.json")}).code, 2)
        << "never overwrites unasked";
}

}  // namespace
}  // namespace dse::app
