#include "trace/chakra/record_writer.hpp"

#include <random>

#include <gtest/gtest.h>

#include "chakra/execution_trace.pb.h"
#include "read_traces.hpp"

namespace dse::trace::chakra {
namespace {

/// What stands in a file after these nodes are written.
std::string written(const std::vector<NodeHead>& heads, std::string_view same, std::string_view more) {
    const dse::test::TemporaryFolder folder;
    TraceFile file{folder.path("t.et"), Compression::none};
    RecordWriter writer{file};
    for (const NodeHead& head : heads) writer.node(head, same, more);
    writer.flush();
    file.close();
    return dse::test::read_file(folder.path("t.et"));
}

// protobuf parses what we encode by hand, and finds what was put in: ids of one to ten bytes, any number of
// dependencies, empty fields.
TEST(RecordWriter, EncodesAsProtobufDoes) {
    std::mt19937_64 random{7};
    wire::Node fields;
    fields.set_type(wire::COMP_NODE);
    fields.add_attributes()->set_name("a");
    wire::Node more;
    more.add_attributes()->set_name("b");
    for (int round = 0; round < 500; ++round) {
        const auto number = [&] { return random() >> (random() % 64); };
        std::vector<NodeId> control(random() % 4);
        std::vector<NodeId> data(random() % 70);
        for (NodeId& id : control) id = number();
        for (NodeId& id : data) id = number();
        const std::string place(random() % 200, 'p');
        const NodeHead head{number(), place, round % 3 == 0 ? "" : "what", control, data, number() % 1000};
        const std::string bytes = written({head}, fields.SerializeAsString(), more.SerializeAsString());

        wire::Node expected = fields;
        expected.MergeFrom(more);
        expected.set_id(head.id);
        expected.set_name(place + std::string{head.what});
        expected.mutable_control_dependencies()->Add(control.begin(), control.end());
        expected.mutable_data_dependencies()->Add(data.begin(), data.end());
        expected.set_duration_micros(head.duration_micros);
        wire::Node parsed;
        const std::size_t length_bytes = bytes.size() - expected.ByteSizeLong() - (head.id == 0 ? 2 : 0);
        ASSERT_TRUE(length_bytes == 1 || length_bytes == 2) << bytes.size();
        ASSERT_TRUE(parsed.ParseFromString(bytes.substr(length_bytes)));
        EXPECT_EQ(parsed.SerializeAsString(), expected.SerializeAsString());
    }
}

TEST(RecordWriter, WritesMoreThanItsBufferHolds) {
    const std::string fields = [] {
        wire::Node node;
        node.add_attributes()->set_string_val(std::string(1'000'000, 'x'));
        return node.SerializeAsString();
    }();
    const std::string bytes = written({{1, "p", "", {}, {}, 0}, {2, "q", "", {}, {}, 0}}, fields, {});
    // A length of three bytes, an id of two, a name of three.
    EXPECT_EQ(bytes.size(), 2 * (3 + 2 + 3 + fields.size()));
}

}  // namespace
}  // namespace dse::trace::chakra
