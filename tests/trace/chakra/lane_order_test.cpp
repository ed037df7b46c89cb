#include "trace/chakra/lane_order.hpp"

#include <functional>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "built_trace.hpp"

namespace dse::trace::chakra {
namespace {

using test::attribute;

/// Held against a walk back from every node, on graphs whose dependencies go along the lanes.
TEST(LaneOrder, FindsNeighboursWithoutAPathBetweenThem) {
    std::mt19937 random{9};
    std::size_t found = 0;
    for (int round = 0; round < 100; ++round) {
        test::WrittenTrace written;
        const std::size_t nodes = 2 + random() % 15;
        for (std::size_t n = 0; n < nodes; ++n) {
            wire::Node& node = written.add(n, "k", wire::COMP_NODE);
            for (std::size_t other = 0; other < n; ++other) {
                if (random() % 4 == 0) node.add_data_dependencies(other);
            }
            if (random() % 5 != 0)
                attribute(node, "stream").set_int64_val(static_cast<std::int64_t>(random() % 3));
        }
        const RankTrace read = test::read_back(written);
        const Trace& trace = *read.trace;
        const auto lanes = nodes_by_lane(trace);
        std::set<std::pair<std::size_t, std::size_t>> expected;
        const std::function<bool(NodeIndex, NodeIndex)> reaches = [&](NodeIndex from, NodeIndex to) {
            for (const NodeIndex other : trace.dependencies(from)) {
                if (other == to || reaches(other, to)) return true;
            }
            return false;
        };
        for (const LaneNodes& lane : lanes) {
            for (std::size_t n = 1; lane.lane.number && n < lane.nodes.size(); ++n) {
                if (!reaches(lane.nodes[n], lane.nodes[n - 1]))
                    expected.emplace(lane.nodes[n - 1].index(), lane.nodes[n].index());
            }
        }
        std::set<std::pair<std::size_t, std::size_t>> pairs;
        for (const UnorderedPair& pair :
             unordered_neighbours(trace, *dependency_order(trace), lanes, Waits::for_all))
            pairs.emplace(pair.first.index(), pair.second.index());
        EXPECT_EQ(pairs, expected);
        found += pairs.size();
    }
    EXPECT_GT(found, 100U);
}

TEST(LaneOrder, LeavesTheTwoEndsOfAnExchangeToThemselves) {
    test::WrittenTrace written;
    const auto add = [&](std::uint64_t id, wire::NodeType type, const char* peer, std::int32_t tag) {
        wire::Node& node = written.add(id, "shift", type);
        attribute(node, "stream").set_int64_val(2);
        attribute(node, "comm_size").set_int64_val(64);
        attribute(node, peer).set_int32_val(1);
        attribute(node, "comm_tag").set_int32_val(tag);
    };
    add(0, wire::COMM_SEND_NODE, "comm_dst", 7);
    add(1, wire::COMM_RECV_NODE, "comm_src", 7);
    add(2, wire::COMM_RECV_NODE, "comm_src", 8);
    const RankTrace read = test::read_back(written);
    const Trace& trace = *read.trace;
    const auto pairs =
        unordered_neighbours(trace, *dependency_order(trace), nodes_by_lane(trace), Waits::for_all);
    ASSERT_EQ(pairs.size(), 1U);
    EXPECT_EQ(pairs[0].first.index(), 1U);
    EXPECT_EQ(pairs[0].second.index(), 2U);
}

}  // namespace
}  // namespace dse::trace::chakra
