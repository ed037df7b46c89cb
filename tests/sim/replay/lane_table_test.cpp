#include "sim/replay/lane_table.hpp"

#include <gtest/gtest.h>

#include "support/hand_trace.hpp"

namespace dse::sim::replay {
namespace {

using test::HandTrace;
using trace::chakra::CommType;

TEST(LaneTable, without_streams_parts_what_real_machines_part) {
    HandTrace hand;
    hand.recorded(0, 1).recorded(1, 1).recorded(2, 1, {}, true);
    hand.collective(3, CommType::all_reduce, 8, "1").collective(4, CommType::all_reduce, 8, "2");
    hand.collective(5, CommType::all_gather, 8, "1").send(6, 1, 8, 0).send(7, 2, 8, 0).receive(8, 1, 8, 0);
    hand.load(9, 8).metadata(10);
    const auto rank = hand.build();
    const LaneTable table{*rank.trace};
    EXPECT_EQ(table.of(0), table.of(1)) << "kernels";
    EXPECT_NE(table.of(0), table.of(2)) << "the host";
    EXPECT_EQ(table.of(3), table.of(5)) << "one communicator";
    EXPECT_NE(table.of(3), table.of(4)) << "another one";
    EXPECT_NE(table.of(6), table.of(7)) << "messages to different ranks";
    EXPECT_EQ(table.of(8), IssueQueue::free_lane) << "receives wait beside everything else";
    EXPECT_EQ(table.of(10), IssueQueue::free_lane);
    EXPECT_EQ(table.lanes(), 8U) << "free, kernels, host, two communicators, two ranks, copies";
    for (const std::uint32_t before : table.before()) EXPECT_EQ(before, DependencyTable::none);
}

TEST(LaneTable, a_stream_has_the_order_in_which_it_was_recorded) {
    HandTrace hand;
    hand.stream(7).start(30).recorded(0, 1).start(10).collective(1, CommType::all_reduce, 8);
    hand.start(20).receive(2, 1, 8, 0).stream(8).start(0).recorded(3, 1).recorded(4, 1);
    const auto rank = hand.build();
    const LaneTable table{*rank.trace};
    EXPECT_EQ(table.lanes(), 3U);
    EXPECT_EQ(table.before(),
              (std::vector<std::uint32_t>{2, DependencyTable::none, 1, DependencyTable::none, 3}));
}

}  // namespace
}  // namespace dse::sim::replay
