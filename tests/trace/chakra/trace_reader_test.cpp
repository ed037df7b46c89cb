// Also tests: chakra/record_stream.cpp
#include "dse/trace/chakra/trace_reader.hpp"

#include <random>

#include <gtest/gtest.h>

#include "chakra/execution_trace.pb.h"
#include "dse/base/error.hpp"
#include "read_traces.hpp"

namespace dse::trace::chakra {
namespace {

std::string with_length(const std::string& record) {
    EXPECT_LT(record.size(), 128U);
    return static_cast<char>(record.size()) + record;
}

std::string message_of(const std::string& content) {
    const dse::test::TemporaryFolder folder;
    try {
        test::read_nodes(folder.write("t.et", content));
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

TEST(TraceReader, ReadsEveryKindOfValue) {
    wire::GlobalMetadata metadata;
    metadata.set_version("0.0.4");
    wire::Node written;
    written.set_id(9);
    written.set_name("a node");
    written.set_type(wire::METADATA_NODE);
    written.add_data_dependencies(3);
    written.add_control_dependencies(4);
    written.set_duration_micros(12);
    written.add_attributes()->set_double_val(1.5);
    written.add_attributes()->set_float_val(2.5);
    written.add_attributes()->set_int32_val(-1);
    written.add_attributes()->set_sint64_val(-2);
    written.add_attributes()->set_fixed32_val(3);
    written.add_attributes()->set_uint64_val(4);
    written.add_attributes()->set_bool_val(true);
    written.add_attributes()->set_string_val("text");
    written.add_attributes()->mutable_bool_list()->add_values(true);
    const dse::test::TemporaryFolder folder;
    TraceReader reader{folder.write(
        "t.et", with_length(metadata.SerializeAsString()) + with_length(written.SerializeAsString()))};
    EXPECT_EQ(reader.version(), "0.0.4");
    TraceNode node;
    ASSERT_TRUE(reader.next(node));
    EXPECT_EQ(node.id, 9U);
    EXPECT_EQ(node.name, "a node");
    EXPECT_EQ(name(node.type), "metadata");
    EXPECT_EQ(node.data_dependencies, std::vector<std::uint64_t>{3});
    EXPECT_EQ(node.control_dependencies, std::vector<std::uint64_t>{4});
    EXPECT_EQ(node.duration_micros, 12U);
    const std::vector<AttributeValue> expected{
        1.5,  2.5,    std::int64_t{-1}, std::int64_t{-2}, std::uint64_t{3}, std::uint64_t{4},
        true, "text", std::monostate{}};
    ASSERT_EQ(node.attributes.size(), expected.size());
    for (std::size_t a = 0; a < expected.size(); ++a) EXPECT_EQ(node.attributes[a].second, expected[a]) << a;
    EXPECT_FALSE(reader.next(node));
}

TEST(TraceReader, FindsAttributesByName) {
    TraceNode node;
    node.attributes = {{"n", std::uint64_t{5}}, {"t", "text"}};
    EXPECT_EQ(node.number("n"), 5);
    EXPECT_EQ(node.number("t"), std::nullopt);
    EXPECT_EQ(node.number("absent"), std::nullopt);
    EXPECT_EQ(node.text("t"), "text");
    EXPECT_EQ(node.text("n"), "");
    EXPECT_EQ(node.attribute("absent"), nullptr);
}

TEST(TraceReader, SaysWhatIsWrong) {
    EXPECT_NE(message_of("").find("it is empty"), std::string::npos);
    const std::string start = with_length("");
    EXPECT_NE(message_of(start + "\x05"
                                 "ab")
                  .find("record 2: the file ends inside it"),
              std::string::npos);
    EXPECT_NE(message_of(start + "\x85").find("record 2: the file ends inside its length"),
              std::string::npos);
    EXPECT_NE(message_of(start + "\x03\xff\xff\xff").find("record 2: it is not a Chakra record"),
              std::string::npos);
    EXPECT_NE(message_of("\xff\xff\xff\xff\x7f").find("bytes long"), std::string::npos);
    EXPECT_NE(message_of(std::string(11, '\xff')).find("not a varint"), std::string::npos);
    try {
        TraceReader reader{"/nowhere/t.et"};
        FAIL() << "no error";
    } catch (const InputError& error) {
        EXPECT_NE(std::string{error.what()}.find("'/nowhere/t.et': No such file"), std::string::npos);
    }
}

TEST(TraceReader, SaysThatACompressedFileEndsEarly) {
    const dse::test::TemporaryFolder folder;
    TraceFile file{folder.path("t.et"), Compression::gzip};
    std::mt19937 random{1};
    std::vector<std::uint8_t> bytes{0};
    for (int record = 0; record < 50; ++record) {
        wire::Node node;
        std::string text(100, ' ');
        for (char& c : text) c = static_cast<char>('a' + random() % 26);
        node.set_name(text);
        const std::string encoded = with_length(node.SerializeAsString());
        bytes.insert(bytes.end(), encoded.begin(), encoded.end());
    }
    file.write(bytes);
    file.close();
    const std::string whole = dse::test::read_file(folder.path("t.et"));
    EXPECT_EQ(test::read_nodes(folder.path("t.et")).size(), 50U);
    EXPECT_NE(message_of(whole.substr(0, whole.size() / 2)).find("is damaged: record"), std::string::npos);
}

TEST(TraceReader, SurvivesAnyBytes) {
    std::mt19937 random{11};
    const dse::test::TemporaryFolder folder;
    int refused = 0;
    for (int round = 0; round < 300; ++round) {
        std::string content(1 + random() % 100, '\0');
        for (char& c : content) c = static_cast<char>(random());
        try {
            test::read_nodes(folder.write("t.et", content));
        } catch (const InputError&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace dse::trace::chakra
