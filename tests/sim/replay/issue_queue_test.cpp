#include "sim/replay/issue_queue.hpp"

#include <gmock/gmock.h>

#include "support/hand_trace.hpp"

namespace dse::sim::replay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Lane compute = 1;
constexpr Lane communication = 2;

/// Begins all that can. \returns the nodes, in order
template <class LaneOf>
std::vector<std::uint32_t> pass(IssueQueue& queue, LaneOf lane_of) {
    std::vector<std::uint32_t> begun;
    queue.begin_pass(lane_of);
    while (const auto node = queue.next()) begun.push_back(*node);
    return begun;
}

TEST(IssueQueue, begins_one_node_a_lane_by_ascending_id) {
    test::HandTrace hand;
    for (const std::uint64_t id : {4, 3, 2, 1, 0}) hand.recorded(id, 1);
    const auto rank = hand.build();
    const DependencyTable table{rank};
    IssueQueue queue{table, 3};
    // Ids 4 and 0 are of communication, the others of computation.
    const auto lane_of = [](std::uint32_t node) { return node % 4 == 0 ? communication : compute; };
    EXPECT_THAT(pass(queue, lane_of), ElementsAre(4, 3)) << "ids 0 and 1";
    EXPECT_THAT(pass(queue, lane_of), IsEmpty()) << "both lanes are taken";
    queue.end(3, compute);
    EXPECT_THAT(pass(queue, lane_of), ElementsAre(2)) << "id 2";
    queue.end(4, communication);
    EXPECT_THAT(pass(queue, lane_of), ElementsAre(0)) << "id 4";
    EXPECT_EQ(queue.left(), 3U);
    EXPECT_EQ(queue.at_work(), 2U);
}

TEST(IssueQueue, receives_are_free) {
    test::HandTrace hand;
    hand.recorded(0, 1).recorded(1, 1).recorded(2, 1);
    const auto rank = hand.build();
    const DependencyTable table{rank};
    IssueQueue queue{table, 3};
    EXPECT_THAT(pass(queue, [](std::uint32_t) { return IssueQueue::free_lane; }), ElementsAre(0, 1, 2));
}

TEST(IssueQueue, what_becomes_ready_in_a_pass_waits_for_the_next) {
    test::HandTrace hand;
    hand.recorded(0, 1).recorded(1, 1, {0}).recorded(2, 1);
    const auto rank = hand.build();
    const DependencyTable table{rank};
    IssueQueue queue{table, 3};
    const auto lane_of = [](std::uint32_t) { return communication; };
    queue.begin_pass(lane_of);
    ASSERT_EQ(queue.next(), 0U);
    queue.end(0, communication);
    EXPECT_EQ(queue.next(), 2U) << "not 1, whose id is lower, but which was not ready at first";
    queue.end(2, communication);
    EXPECT_THAT(pass(queue, lane_of), ElementsAre(1));
}

}  // namespace
}  // namespace dse::sim::replay
