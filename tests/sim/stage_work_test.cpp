#include "sim/stage_work.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/small_graph.hpp"

namespace dse::sim {
namespace {

using graph::MeshAxis;
using graph::ScheduleKind;
using graph::ValueRef;
using test::SmallGraph;
using ::testing::ElementsAre;

// Four microbatches, F = 1, B = 2. The last stage's F is longer by a kernel of 0.5, an exchange of 4 whose
// value is there after 3, and a reduction of 8 that holds the compute stream for 0.25 of it.
class StageWork : public ::testing::Test {
  protected:
    StageWork() : made_{2} {
        made_.pipeline(ScheduleKind::one_f_one_b, 3, 4);
        const graph::RegionId backward = made_.pass(2);
        made_.program(made_.pass(1), backward);
        const graph::RegionId forward = made_.region(
            1,
            {SmallGraph::node(made_.kernel(1), {ValueRef::port(0)}), SmallGraph::node(made_.kernel(0.5)),
             SmallGraph::node(made_.collective(MeshAxis::expert, NodeTime{4, 3, 0}), {ValueRef::item(0)}, 1),
             SmallGraph::node(made_.collective(MeshAxis::data, NodeTime{8, 8, 0.25}), {}, 1)},
            {ValueRef::item(2)});
        made_.program(forward, backward);
        made_.graph.program_of = {0, 0, 1};
        made_.finish(100);
    }
    SmallGraph made_;
};

TEST_F(StageWork, CountsKernelsAndWhatIsExposed) {
    EXPECT_THAT(stage_work(made_.graph, made_.durations),
                ElementsAre(4 * 3.0, 4 * 3.0, 4 * (3.0 + 0.5 + 3.0 + 0.25)));
    EXPECT_EQ(busiest_stage(made_.graph, made_.durations), 2U);
}

// To each exchange, kernels lose 0.5.
TEST_F(StageWork, CountsWhatKernelsLose) {
    for (NodeTime& time : made_.durations.of_work) {
        if (time.visible == 3) time.lost = 0.5;
    }
    EXPECT_EQ(stage_work(made_.graph, made_.durations)[2], 4 * (3.0 + 0.5 + 3.0 + 0.25 + 0.5));
}

TEST_F(StageWork, OfEqualStagesTheFirstIsTheBusiest) {
    made_.graph.program_of = {0, 0, 0};
    EXPECT_EQ(busiest_stage(made_.graph, made_.durations), 0U);
}

TEST_F(StageWork, TakesTheSlowestRank) {
    std::vector<double> slow;
    for (const NodeTime& time : made_.durations.of_work) slow.push_back(10 * time.duration);
    made_.durations.kernel_tables = {slow};
    made_.durations.kernel_table_of = {0, 1, 0};
    EXPECT_THAT(stage_work(made_.graph, made_.durations),
                ElementsAre(4 * 3.0, 4 * 30.0, 4 * (3.0 + 0.5 + 3.0 + 0.25)));
    EXPECT_EQ(busiest_stage(made_.graph, made_.durations), 1U);
}

}  // namespace
}  // namespace dse::sim
