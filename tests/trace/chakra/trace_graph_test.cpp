#include "dse/trace/chakra/trace_graph.hpp"

#include <algorithm>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "built_trace.hpp"

namespace dse::trace::chakra {
namespace {

using test::attribute;
using test::ids;
using test::read_back;
using test::WrittenTrace;
using Ids = std::vector<std::uint64_t>;

TEST(TraceGraph, OrdersNodesBehindWhatTheyWaitFor) {
    WrittenTrace written;
    written.add(5, "d", wire::COMP_NODE, {4, 3});
    written.add(3, "b", wire::COMP_NODE, {1});
    written.add(4, "c", wire::COMP_NODE).add_control_dependencies(1);
    written.add(1, "a", wire::COMP_NODE);
    const RankTrace read = read_back(written);
    const auto order = dependency_order(*read.trace);
    ASSERT_TRUE(order);
    EXPECT_EQ(ids(*read.trace, *order), (Ids{1, 3, 4, 5}));
    EXPECT_TRUE(find_cycle(*read.trace).empty());
}

TEST(TraceGraph, FindsTheCycleAndNotWhatWaitsForIt) {
    WrittenTrace written;
    written.add(1, "behind", wire::COMP_NODE, {2});
    written.add(2, "a", wire::COMP_NODE, {9, 3});
    written.add(3, "b", wire::COMP_NODE, {4});
    written.add(4, "c", wire::COMP_NODE).add_control_dependencies(2);
    written.add(9, "free", wire::COMP_NODE);
    const RankTrace read = read_back(written);
    EXPECT_FALSE(dependency_order(*read.trace));
    EXPECT_EQ(ids(*read.trace, find_cycle(*read.trace)), (Ids{2, 3, 4}));
    WrittenTrace itself;
    itself.add(1, "a", wire::COMP_NODE, {1});
    EXPECT_EQ(find_cycle(*read_back(itself).trace).size(), 1U);
}

/// 1 (5 µs) → 2 (1) → 4 (2), 1 → 3 (4) → 4: 5 + 4 + 2.
TEST(TraceGraph, CriticalPathByHand) {
    WrittenTrace written;
    const auto add = [&written](std::uint64_t id, std::uint64_t micros, Ids data) {
        written.add(id, "k", wire::COMP_NODE, std::move(data)).set_duration_micros(micros);
    };
    add(1, 5, {});
    add(2, 1, {1});
    add(3, 4, {1});
    add(4, 2, {2, 3});
    add(5, 1, {2});
    const RankTrace read = read_back(written);
    const auto order = dependency_order(*read.trace);
    ASSERT_TRUE(order);
    const CriticalPath path = critical_path(*read.trace, *order, NodeCost::duration);
    EXPECT_EQ(path.length, 11U);
    EXPECT_EQ(ids(*read.trace, path.nodes), (Ids{1, 3, 4}));
    EXPECT_EQ(critical_path(*read.trace, *order, NodeCost::one).length, 3U);
    EXPECT_EQ(critical_path(*read_back({}).trace, {}, NodeCost::one).nodes.size(), 0U);
}

/// The longest of all paths, counted by trying them all.
TEST(TraceGraph, CriticalPathIsTheLongestOfRandomGraphs) {
    std::mt19937 random{5};
    for (int round = 0; round < 100; ++round) {
        WrittenTrace written;
        const std::size_t nodes = 1 + random() % 12;
        for (std::size_t n = 0; n < nodes; ++n) {
            Ids data;
            for (std::size_t other = 0; other < n; ++other) {
                if (random() % 3 == 0) data.push_back(other);
            }
            written.add(n, "k", wire::COMP_NODE, data).set_duration_micros(random() % 5);
        }
        const RankTrace read = read_back(written);
        const Trace& trace = *read.trace;
        const std::function<std::uint64_t(NodeIndex)> longest = [&](NodeIndex node) {
            std::uint64_t before = 0;
            for (const NodeIndex other : trace.data(node)) before = std::max(before, longest(other));
            return before + trace.step(node).duration_micros;
        };
        std::uint64_t expected = 0;
        for (std::size_t n = 0; n < nodes; ++n) expected = std::max(expected, longest(NodeIndex{n}));
        const CriticalPath path = critical_path(trace, *dependency_order(trace), NodeCost::duration);
        EXPECT_EQ(path.length, expected);
        std::uint64_t sum = 0;
        for (const NodeIndex node : path.nodes) sum += trace.step(node).duration_micros;
        EXPECT_EQ(sum, expected);
    }
}

TEST(TraceGraph, SortsNodesIntoLanes) {
    WrittenTrace written;
    const auto add = [&written](std::uint64_t id, bool host, const char* name, int number) {
        wire::Node& node = written.add(id, "k", wire::COMP_NODE);
        attribute(node, "is_cpu_op").set_bool_val(host);
        attribute(node, name).set_int64_val(number);
        return &node;
    };
    add(4, false, "stream", 7);
    add(3, false, "tid", 7);
    add(2, true, "tid", 1);
    add(1, true, "none", 1);
    written.add(9, "groups", wire::METADATA_NODE);
    const RankTrace read = read_back(written);
    const auto lanes = nodes_by_lane(*read.trace);
    ASSERT_EQ(lanes.size(), 3U);
    EXPECT_EQ(lanes[0].lane, (Lane{Lane::Place::host, std::nullopt}));
    EXPECT_EQ(lanes[1].lane, (Lane{Lane::Place::host, 1}));
    EXPECT_EQ(lanes[2].lane, (Lane{Lane::Place::device, 7}));
    EXPECT_EQ(ids(*read.trace, lanes[2].nodes), (Ids{3, 4}));
}

TEST(TraceGraph, OrdersALaneByRecordedStarts) {
    WrittenTrace written;
    written.add(1, "late", wire::COMP_NODE).set_start_time_micros(9);
    written.add(2, "early", wire::COMP_NODE).set_start_time_micros(3);
    const RankTrace read = read_back(written);
    EXPECT_EQ(ids(*read.trace, nodes_by_lane(*read.trace)[0].nodes), (Ids{2, 1}));
}

}  // namespace
}  // namespace dse::trace::chakra
