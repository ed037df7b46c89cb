// Also tests: chakra/trace_builder.cpp, chakra/node_decoder.cpp, chakra/attribute_view.cpp, chakra/trace.cpp
#include "dse/trace/chakra/read_trace.hpp"

#include <functional>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "read_traces.hpp"
#include "written_trace.hpp"

namespace dse::trace::chakra {
namespace {

using test::attribute;
using test::WrittenTrace;

std::vector<std::size_t> indices(std::span<const NodeIndex> nodes) {
    std::vector<std::size_t> result;
    for (const NodeIndex node : nodes) result.push_back(node.index());
    return result;
}

std::string message_of(const std::string& path) {
    try {
        read_trace(path);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

TEST(ReadTrace, ResolvesDependenciesInAnyOrder) {
    WrittenTrace written;
    written.add(900, "last", wire::COMP_NODE, {7, 40}).add_control_dependencies(41);
    written.add(7, "first", wire::COMP_NODE);
    written.add(41, "third", wire::COMP_NODE, {7});
    written.add(40, "second", wire::COMP_NODE, {7});
    const dse::test::TemporaryFolder folder;
    for (const auto compression : {Compression::none, Compression::gzip}) {
        const RankTrace read = read_trace(written.write(folder, "t.et", compression));
        const Trace& trace = *read.trace;
        ASSERT_EQ(trace.size(), 4U);
        EXPECT_EQ(read.version, "0.0.4");
        EXPECT_EQ(trace.step(NodeIndex{0}).id, 900U);
        EXPECT_EQ(trace.name(NodeIndex{3}), "second");
        EXPECT_EQ(indices(trace.data(NodeIndex{0})), (std::vector<std::size_t>{1, 3}));
        EXPECT_EQ(indices(trace.control(NodeIndex{0})), (std::vector<std::size_t>{2}));
        EXPECT_EQ(indices(trace.dependencies(NodeIndex{0})), (std::vector<std::size_t>{2, 1, 3}));
        EXPECT_EQ(indices(trace.dependencies(NodeIndex{1})), std::vector<std::size_t>{});
        EXPECT_EQ(indices(trace.data(NodeIndex{3})), (std::vector<std::size_t>{1}));
        EXPECT_EQ(read.place(NodeIndex{3}), "record 5 (node 40 'second')");
    }
}

TEST(ReadTrace, FindsNodesWhoseIdsLieFarApart) {
    constexpr std::uint64_t far = std::numeric_limits<std::uint64_t>::max();
    WrittenTrace written;
    written.add(far, "a", wire::COMP_NODE, {0, 5});
    written.add(0, "b", wire::COMP_NODE);
    written.add(5, "c", wire::COMP_NODE, {0});
    const dse::test::TemporaryFolder folder;
    const RankTrace read = read_trace(written.write(folder, "t.et"));
    EXPECT_EQ(indices(read.trace->data(NodeIndex{0})), (std::vector<std::size_t>{1, 2}));
}

TEST(ReadTrace, TakesNumbersOfEveryKind) {
    using Set = std::function<void(wire::Attribute&)>;
    const std::vector<Set> kinds{[](wire::Attribute& a) { a.set_int32_val(100); },
                                 [](wire::Attribute& a) { a.set_int64_val(100); },
                                 [](wire::Attribute& a) { a.set_uint32_val(100); },
                                 [](wire::Attribute& a) { a.set_uint64_val(100); },
                                 [](wire::Attribute& a) { a.set_sint32_val(100); },
                                 [](wire::Attribute& a) { a.set_sint64_val(100); },
                                 [](wire::Attribute& a) { a.set_fixed32_val(100); },
                                 [](wire::Attribute& a) { a.set_fixed64_val(100); },
                                 [](wire::Attribute& a) { a.set_sfixed32_val(100); },
                                 [](wire::Attribute& a) { a.set_sfixed64_val(100); },
                                 [](wire::Attribute& a) { a.set_double_val(100); },
                                 [](wire::Attribute& a) { a.set_float_val(100); }};
    for (const Set& set : kinds) {
        WrittenTrace written;
        wire::Node& node = written.add(1, "c", wire::COMM_COLL_NODE);
        for (const char* name : {"comm_size", "tensor_size", "num_ops", "comm_priority", "stream"})
            set(attribute(node, name));
        const dse::test::TemporaryFolder folder;
        const RankTrace read = read_trace(written.write(folder, "t.et"));
        const TraceStep& step = read.trace->step(NodeIndex{0});
        const Communication& communication = read.trace->communication(NodeIndex{0});
        EXPECT_EQ(communication.size, 100);
        EXPECT_EQ(communication.priority, 100);
        EXPECT_EQ(step.tensor_size, 100);
        EXPECT_EQ(step.num_ops, 100);
        EXPECT_EQ(step.stream, 100);
        EXPECT_TRUE(step.present.contains(TraceField::comm_size));
        EXPECT_FALSE(step.present.contains(TraceField::comm_type));
    }
}

TEST(ReadTrace, ReadsFieldsOfCommunication) {
    WrittenTrace written;
    wire::Node& node = written.add(1, "c", wire::COMM_COLL_NODE);
    node.set_duration_micros(12);
    node.set_start_time_micros(7);
    attribute(node, "is_cpu_op").set_int32_val(0);
    attribute(node, "comm_type").set_int64_val(7);
    attribute(node, "pg_name").set_string_val("12");
    wire::BoolList& dimensions = *attribute(node, "involved_dim").mutable_bool_list();
    for (const bool involved : {true, false, true}) dimensions.add_values(involved);
    wire::Node& sent = written.add(2, "s", wire::COMM_SEND_NODE);
    attribute(sent, "comm_src").set_int32_val(3);
    attribute(sent, "comm_dst").set_int32_val(-1);
    attribute(sent, "comm_tag").set_int32_val(5);
    attribute(sent, "is_cpu_op").set_bool_val(true);
    attribute(sent, "tid").set_int64_val(2);
    const dse::test::TemporaryFolder folder;
    const RankTrace read = read_trace(written.write(folder, "t.et"));
    const TraceStep& step = read.trace->step(NodeIndex{0});
    EXPECT_EQ(step.duration_micros, 12U);
    EXPECT_EQ(step.start_micros, 7U);
    EXPECT_FALSE(step.is_cpu_op);
    EXPECT_TRUE(step.present.contains(TraceField::is_cpu_op));
    const Communication& collective = read.trace->communication(NodeIndex{0});
    EXPECT_EQ(name(collective.type), "reduce_scatter");
    EXPECT_EQ(read.group(collective), "12");
    EXPECT_EQ(read.tag(collective), std::nullopt);
    EXPECT_EQ(collective.dimensions, 3);
    EXPECT_EQ(collective.involved, 0b101U);
    const Communication& message = read.trace->communication(NodeIndex{1});
    EXPECT_EQ(read.source(message), 3);
    EXPECT_EQ(read.destination(message), -1);
    EXPECT_EQ(read.tag(message), 5);
    EXPECT_EQ(read.group(message), "");
    EXPECT_TRUE(read.trace->step(NodeIndex{1}).is_cpu_op);
    EXPECT_EQ(read.trace->step(NodeIndex{1}).thread, 2);
}

TEST(ReadTrace, RanksThatDifferInTheirPeersOnlyHaveEqualTraces) {
    const dse::test::TemporaryFolder folder;
    const auto rank = [&](int peer, const std::string& group, int size) {
        WrittenTrace written;
        wire::Node& sent = written.add(1, "s", wire::COMM_SEND_NODE);
        attribute(sent, "comm_dst").set_int32_val(peer);
        attribute(sent, "comm_tag").set_int32_val(10 * peer);
        attribute(written.add(2, "c", wire::COMM_COLL_NODE, {1}), "pg_name").set_string_val(group);
        attribute(written.add(3, "k", wire::COMP_NODE, {2}), "num_ops").set_int64_val(size);
        return read_trace(written.write(folder, "t.et"));
    };
    const RankTrace first = rank(1, "a", 6);
    EXPECT_EQ(*first.trace, *rank(2, "b", 6).trace);
    EXPECT_NE(*first.trace, *rank(1, "a", 7).trace);
}

TEST(ReadTrace, TellsEveryFault) {
    WrittenTrace written;
    wire::Node& node = written.add(1, "c", wire::COMM_COLL_NODE, {2, 77});
    attribute(node, "comm_size").set_int64_val(-1);
    attribute(node, "comm_type").set_int64_val(99);
    attribute(node, "stream").set_string_val("seven");
    attribute(node, "num_ops").set_uint64_val(std::numeric_limits<std::uint64_t>::max());
    attribute(node, "tensor_size").set_double_val(0.5);
    attribute(node, "involved_dim").set_bool_val(true);
    written.add(2, "d", static_cast<wire::NodeType>(8));
    written.add(2, "e", wire::COMP_NODE);
    const dse::test::TemporaryFolder folder;
    TraceFaults faults;
    const RankTrace read = read_trace(written.write(folder, "t.et"), faults);
    using Kind = TraceFault::Kind;
    std::vector<Kind> kinds;
    for (const TraceFault& fault : faults.all) kinds.push_back(fault.kind);
    EXPECT_EQ(kinds, (std::vector{Kind::out_of_range, Kind::unknown_type, Kind::wrong_kind,
                                  Kind::out_of_range, Kind::wrong_kind, Kind::wrong_kind, Kind::unknown_type,
                                  Kind::duplicate_id, Kind::unknown_dependency}));
    EXPECT_EQ(faults.count, kinds.size());
    EXPECT_EQ(faults.all.front().text, "record 2 (node 1 'c'): attribute 'comm_size' is -1");
    EXPECT_EQ(faults.all.back().text,
              "record 2 (node 1 'c'): it depends by data on node 77, which is not there");
    EXPECT_EQ(indices(read.trace->data(NodeIndex{0})), std::vector<std::size_t>{1});
    for (const TraceField field :
         {TraceField::comm_size, TraceField::stream, TraceField::num_ops, TraceField::tensor_size})
        EXPECT_FALSE(read.trace->step(NodeIndex{0}).present.contains(field));
    EXPECT_NE(message_of(folder.path("t.et"))
                  .find("t.et': record 2 (node 1 'c'): attribute 'comm_size' is -1 "
                        "(and 8 more like it)"),
              std::string::npos);
}

TEST(ReadTrace, ReadsDeclaredProcessGroups) {
    WrittenTrace written;
    written.add(1, "## process_group:init ##", wire::METADATA_NODE)
        .mutable_inputs()
        ->set_values(
            R"(['[{"pg_name": "0", "pg_desc": "default_pg", "ranks": []}, {"pg_name": "4", "ranks": [1, 3]}]'])");
    const dse::test::TemporaryFolder folder;
    const RankTrace read = read_trace(written.write(folder, "t.et"));
    EXPECT_EQ(read.declared, (std::vector<ProcessGroup>{{"0", "default_pg", {}}, {"4", "", {1, 3}}}));
}

TEST(ReadTrace, SaysWhatIsWrongWithAFile) {
    const dse::test::TemporaryFolder folder;
    const std::string metadata(1, '\0');
    EXPECT_NE(message_of(folder.write("t.et", "")).find("it is empty"), std::string::npos);
    EXPECT_NE(message_of(folder.write("t.et", metadata + "\x05"
                                                         "ab"))
                  .find("record 2: the file ends inside it"),
              std::string::npos);
    EXPECT_NE(message_of(folder.write("t.et", metadata + "\x03\xff\xff\xff"))
                  .find("record 2: it is not a Chakra record"),
              std::string::npos);
    EXPECT_NE(message_of(folder.path("absent.et")).find("No such file"), std::string::npos);
    EXPECT_NE(message_of(folder.path()).find("directory"), std::string::npos);
}

/// What TraceReader makes of a file through protobuf's own parser is what the decoder has to make of it.
void expect_as_trace_reader_reads(const std::string& path) {
    TraceFaults faults;
    const RankTrace read = read_trace(path, faults);
    const std::vector<TraceNode> nodes = test::read_nodes(path);
    ASSERT_EQ(read.trace->size(), nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const NodeIndex node{n};
        const TraceStep& step = read.trace->step(node);
        EXPECT_EQ(step.id, nodes[n].id);
        EXPECT_EQ(read.trace->name(node), nodes[n].name);
        EXPECT_EQ(step.type, nodes[n].type);
        EXPECT_EQ(step.duration_micros, nodes[n].duration_micros);
        EXPECT_EQ(step.num_ops, nodes[n].number("num_ops").value_or(0));
        EXPECT_EQ(step.tensor_size, nodes[n].number("tensor_size").value_or(0));
        const auto ids = [&](std::span<const NodeIndex> others) {
            std::vector<std::uint64_t> result;
            for (const NodeIndex other : others) result.push_back(read.trace->step(other).id);
            return result;
        };
        EXPECT_EQ(ids(read.trace->control(node)), nodes[n].control_dependencies);
        EXPECT_EQ(ids(read.trace->data(node)), nodes[n].data_dependencies);
        if (!read.trace->communicates(node)) continue;
        const Communication& communication = read.trace->communication(node);
        EXPECT_EQ(communication.size, nodes[n].number("comm_size").value_or(0));
        EXPECT_EQ(static_cast<std::int64_t>(communication.type), nodes[n].number("comm_type").value_or(0));
        EXPECT_EQ(read.group(communication), nodes[n].text("pg_name"));
        EXPECT_EQ(read.tag(communication).value_or(0), nodes[n].number("comm_tag").value_or(0));
    }
}

TEST(ReadTrace, AgreesWithProtobufOnRandomTraces) {
    std::mt19937 random{7};
    const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
    for (int round = 0; round < 50; ++round) {
        WrittenTrace written;
        const unsigned nodes = 1 + below(40);
        for (unsigned n = 0; n < nodes; ++n) {
            wire::Node& node =
                written.add(n, std::string(below(200), 'x'), static_cast<wire::NodeType>(below(8)));
            for (unsigned d = below(5); d > 0; --d) node.add_data_dependencies(below(nodes));
            for (unsigned d = below(5); d > 0; --d) node.add_control_dependencies(below(nodes));
            if (below(2) == 0) node.set_duration_micros(random() >> below(32));
            if (below(2) == 0)
                attribute(node, "num_ops").set_int64_val(static_cast<std::int64_t>(random()) << below(31));
            if (below(2) == 0) attribute(node, "tensor_size").set_uint64_val(random());
            if (below(2) == 0) attribute(node, "unknown").set_string_val(std::string(below(100), 'y'));
            if (below(2) == 0) attribute(node, "list").mutable_int64_list()->add_values(random());
            if (node.type() < wire::COMM_SEND_NODE) continue;
            attribute(node, "comm_size").set_int64_val(random());
            attribute(node, "comm_type").set_int64_val(below(10));
            attribute(node, "pg_name").set_string_val(std::to_string(below(3)));
            attribute(node, "comm_tag").set_int32_val(static_cast<std::int32_t>(random()));
        }
        const dse::test::TemporaryFolder folder;
        expect_as_trace_reader_reads(written.write(folder, "t.et"));
    }
}

}  // namespace
}  // namespace dse::trace::chakra
