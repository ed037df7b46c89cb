#include "eval/stages/play.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "eval/stages/cost.hpp"
#include "eval/stages/job_on_h100.hpp"

namespace dse::eval {
namespace {

class PlayStage : public testing::Test {
  protected:
    test::JobOnH100 bench_;
    Cost cost_{bench_.machines()};
    int asked_{0};
    Play play_{[this] { ++asked_; }};
};

/// A network with a clock of its own counts in its ticks; an answer is in seconds all the same.
TEST_F(PlayStage, AnswersInSeconds) {
    const Job job = bench_.job();
    const graph::Graph& graph = bench_.build(job);
    sim::Durations durations = *cost_(job, graph).durations;
    const sim::Result seconds = play_(job, graph, durations);
    durations.unit = 2.0;
    const sim::Result ticks = play_(job, graph, durations);
    EXPECT_GT(seconds.iteration_time, 0.0);
    EXPECT_EQ(ticks.iteration_time, 2.0 * seconds.iteration_time);
    EXPECT_EQ(ticks.parts->busy.compute_time(), 2.0 * seconds.parts->busy.compute_time());
}

TEST_F(PlayStage, TheFidelityNamesTheEngine) {
    const Job job = bench_.job();
    const graph::Graph& graph = bench_.build(job);
    const sim::Durations durations = *cost_(job, graph).durations;
    sim::Engine& folded = play_.engine(job);
    EXPECT_EQ(&play_.engine(job), &folded);
    const double time = play_(job, graph, durations).iteration_time;
    EXPECT_EQ(asked_, 0);
    bench_.scenario.fidelity.engine = "event";
    EXPECT_NE(&play_.engine(job), &folded);
    EXPECT_EQ(play_(job, graph, durations).iteration_time, time);
    EXPECT_GT(asked_, 0) << "whether to go on";
    bench_.scenario.fidelity.engine = "evnt";
    EXPECT_THROW(play_.engine(job), InputError);
}

}  // namespace
}  // namespace dse::eval
