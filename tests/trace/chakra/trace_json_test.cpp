#include "dse/trace/chakra/trace_json.hpp"

#include <limits>
#include <sstream>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "written_trace.hpp"

namespace dse::trace::chakra {
namespace {

using test::attribute;
using test::WrittenTrace;

std::string json_of(const WrittenTrace& written) {
    const dse::test::TemporaryFolder folder;
    std::ostringstream stream;
    write_json(written.write(folder, "t.et"), stream);
    return stream.str();
}

TEST(TraceJson, WritesWhatProtobufWould) {
    WrittenTrace written;
    wire::Node& node = written.add(7, "k", wire::COMM_COLL_NODE, {3});
    node.add_control_dependencies(4);
    node.set_duration_micros(12);
    node.mutable_inputs()->set_values("[]");
    attribute(node, "comm_size").set_int64_val(-5);
    attribute(node, "n").set_uint64_val(std::numeric_limits<std::uint64_t>::max());
    attribute(node, "tag").set_int32_val(2);
    attribute(node, "flag").set_bool_val(false);
    attribute(node, "x").set_double_val(0.5);
    attribute(node, "bytes").set_bytes_val("any carnal pleas");
    attribute(node, "list").mutable_bool_list()->add_values(true);
    attribute(node, "texts").mutable_string_list()->add_values("a");
    attribute(node, "empty");
    EXPECT_EQ(
        json_of(written),
        "{\"version\":\"0.0.4\"}\n"
        "{\"id\":\"7\",\"name\":\"k\",\"type\":\"COMM_COLL_NODE\",\"ctrlDeps\":[\"4\"],\"dataDeps\":[\"3\"],"
        "\"durationMicros\":\"12\",\"inputs\":{\"values\":\"[]\"},\"attr\":["
        "{\"name\":\"comm_size\",\"int64Val\":\"-5\"},{\"name\":\"n\",\"uint64Val\":\"18446744073709551615\"}"
        ","
        "{\"name\":\"tag\",\"int32Val\":2},{\"name\":\"flag\",\"boolVal\":false},{\"name\":\"x\","
        "\"doubleVal\":0.5},"
        // RFC 4648: 16 bytes are 21 letters of 6 bits and one of 2, then two of padding
        "{\"name\":\"bytes\",\"bytesVal\":\"YW55IGNhcm5hbCBwbGVhcw==\"},"
        "{\"name\":\"list\",\"boolList\":{\"values\":[true]}},"
        "{\"name\":\"texts\",\"stringList\":{\"values\":[\"a\"]}},{\"name\":\"empty\"}]}\n");
}

TEST(TraceJson, RefusesWhatIsNoTrace) {
    const dse::test::TemporaryFolder folder;
    std::ostringstream stream;
    EXPECT_THROW(write_json(folder.write("t.et", ""), stream), InputError);
    EXPECT_THROW(write_json(folder.write("t.et", std::string("\0\x03\xff\xff\xff", 5)), stream), InputError);
}

}  // namespace
}  // namespace dse::trace::chakra
