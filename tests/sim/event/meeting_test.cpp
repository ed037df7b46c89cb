#include "sim/event/meeting.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "sim/event/pool.hpp"

namespace dse::sim::event {
namespace {

using graph::AxisSet;
using graph::Collective;
using graph::MeshAxis;

class MeetingTest : public ::testing::Test {
  protected:
    MeetingTest() {
        graph_.mesh = graph::Mesh::dense(2, 1, 2, 1);  // tensor and data
    }
    ActivityPtr join(MeetingPlace& place, std::int64_t rank, const Collective& collective) {
        ActivityPtr activity = activities_.make();
        activity->rank = rank;
        place.join(activity, collective);
        return activity;
    }
    graph::Graph graph_;
    Pool<Activity> activities_;
    const Collective over_tensor_{graph::CollectiveKind::all_gather, MeshAxis::tensor, Bytes{8}, 1.0};
};

// Ranks 0 1 | 2 3 are the tensor groups.
TEST_F(MeetingTest, BringsGroupsTogether) {
    MeetingPlace place{graph_};
    const ActivityPtr zero = join(place, 0, over_tensor_);
    const ActivityPtr one = join(place, 1, over_tensor_);
    const ActivityPtr two = join(place, 2, over_tensor_);
    EXPECT_EQ(zero->meeting, one->meeting);
    EXPECT_NE(zero->meeting, two->meeting);
    EXPECT_THAT(two->meeting->members, testing::ElementsAre(2, 3));
    EXPECT_FALSE(MeetingPlace::arrive(*zero->meeting, 5));
    EXPECT_TRUE(MeetingPlace::arrive(*zero->meeting, 3));
    EXPECT_EQ(zero->meeting->start, 5.0);
}

TEST_F(MeetingTest, CountsByCommunicator) {
    MeetingPlace place{graph_};
    const ActivityPtr first = join(place, 0, over_tensor_);
    Collective over_data = over_tensor_;
    over_data.axes = MeshAxis::data;
    const ActivityPtr other = join(place, 0, over_data);
    const ActivityPtr second = join(place, 0, over_tensor_);
    EXPECT_EQ(second->meeting->sequence, 1U);
    EXPECT_EQ(other->meeting->sequence, 0U);
    EXPECT_EQ(join(place, 1, over_tensor_)->meeting, first->meeting);
    EXPECT_EQ(join(place, 1, over_tensor_)->meeting, second->meeting);
    EXPECT_EQ(join(place, 2, over_data)->meeting, other->meeting);
}

TEST_F(MeetingTest, MayStartOutOfOrder) {
    MeetingPlace place{graph_};
    const ActivityPtr first = join(place, 0, over_tensor_);
    const ActivityPtr second = join(place, 0, over_tensor_);
    join(place, 1, over_tensor_);
    join(place, 1, over_tensor_);
    place.close(*second->meeting);
    EXPECT_EQ(first->meeting->sequence, 0U);
    place.close(*first->meeting);
    EXPECT_EQ(join(place, 0, over_tensor_)->meeting->sequence, 2U);
}

TEST_F(MeetingTest, LastOfSeveralIsTheLowestRank) {
    MeetingPlace place{graph_};
    const ActivityPtr one = join(place, 1, over_tensor_);
    const ActivityPtr zero = join(place, 0, over_tensor_);
    one->last_time = zero->last_time = 2;
    EXPECT_EQ(MeetingPlace::latest(*one->meeting).rank, 0);
    one->last_time = 3;
    EXPECT_EQ(MeetingPlace::latest(*one->meeting).rank, 1);
}

TEST_F(MeetingTest, LeavesOutGroupsOfOne) {
    MeetingPlace place{graph_};
    Collective alone = over_tensor_;
    alone.axes = MeshAxis::context;
    EXPECT_EQ(join(place, 0, alone)->meeting, nullptr);
}

TEST_F(MeetingTest, RefusesMembersThatDisagree) {
    MeetingPlace place{graph_};
    join(place, 0, over_tensor_);
    Collective other = over_tensor_;
    other.kind = graph::CollectiveKind::all_reduce;
    EXPECT_THROW(join(place, 1, other), ContractViolation);
}

}  // namespace
}  // namespace dse::sim::event
