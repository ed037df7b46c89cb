#include "eval/stages/ahead.hpp"

#include <gtest/gtest.h>

#include "eval/stages/cost.hpp"
#include "eval/stages/job_on_h100.hpp"
#include "eval/stages/play.hpp"

namespace dse::eval {
namespace {

class AheadStage : public testing::Test {
  protected:
    /// Asks for a layout on a machine whose network is `number` times as fast.
    /// \return whether it was found ahead
    bool ask(std::int64_t tp, double number) {
        bench_.scenario.workload.layout.tp = tp;
        bench_.scenario.workload.layout.pp = 2;
        bench_.scenario.system.cluster.network.scale_out.link.bandwidth = BytesPerSecond{25e9 * number};
        Job job = bench_.job(number);
        job.asked = what_;
        const graph::Graph& graph = bench_.build(job);
        const Ahead::Answer* answer = ahead_.find(job, graph, play_.engine(job));
        if (answer == nullptr) return false;
        const Cost::Costed costed = cost_(job, graph);
        EXPECT_EQ(answer->durations.of_work, costed.durations->of_work);
        const sim::Result alone = play_(job, graph, *costed.durations);
        EXPECT_EQ(answer->result->iteration_time, alone.iteration_time);
        EXPECT_EQ(answer->result->last_stage, alone.last_stage);
        EXPECT_EQ(answer->result->parts, alone.parts);
        EXPECT_EQ(answer->result->parts.has_value(), what_ == sim::Asked::For::path);
        return true;
    }

    sim::Asked::For what_{sim::Asked::For::time};
    test::JobOnH100 bench_;
    Cost cost_{bench_.machines()};
    Play play_{[] {}};
    Ahead ahead_{bench_.machines()};
};

TEST_F(AheadStage, AnswersForMachinesThatTheLayoutBeforeWasAskedFor) {
    for (const double number : {1.0, 2.0, 4.0}) EXPECT_FALSE(ask(4, number)) << number;
    for (const double number : {1.0, 2.0, 4.0}) EXPECT_TRUE(ask(2, number)) << number;
    EXPECT_FALSE(ask(2, 8.0)) << "nobody has heard of it";
    EXPECT_TRUE(ask(2, 2.0)) << "again";
    EXPECT_TRUE(ask(4, 4.0)) << "8 came behind it";
    EXPECT_TRUE(ask(4, 1.0)) << "2 came behind it";
}

TEST_F(AheadStage, AnswersWithPathsWhereTheyAreAskedFor) {
    what_ = sim::Asked::For::path;
    for (const double number : {1.0, 2.0}) EXPECT_FALSE(ask(4, number)) << number;
    for (const double number : {1.0, 2.0}) EXPECT_TRUE(ask(2, number)) << number;
    what_ = sim::Asked::For::time;
    for (const double number : {1.0, 2.0}) EXPECT_TRUE(ask(2, number)) << number << ", without its path";
}

TEST_F(AheadStage, LeavesSingleMachinesAndPartsOfStagesAlone) {
    EXPECT_FALSE(ask(4, 1.0));
    EXPECT_FALSE(ask(2, 1.0));
    EXPECT_FALSE(ask(4, 1.0));
    EXPECT_FALSE(ask(4, 2.0));
    bench_.scenario.workload.layout.tp = 2;
    const Job job = bench_.job(1.0);
    ASSERT_EQ(job.asked, sim::Asked::For::parts);
    EXPECT_EQ(ahead_.find(job, bench_.build(job), play_.engine(job)), nullptr);
}

TEST_F(AheadStage, ForgetsWhatWasAskedFor) {
    for (const double number : {1.0, 2.0}) EXPECT_FALSE(ask(4, number));
    ahead_.forget();
    EXPECT_FALSE(ask(2, 1.0));
}

}  // namespace
}  // namespace dse::eval
