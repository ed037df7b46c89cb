#include "eval/stages/fit.hpp"

#include <gtest/gtest.h>

#include "eval/stages/job_on_h100.hpp"

namespace dse::eval {
namespace {

/// Says what it is told to, and counts how often it is asked.
class TellingEngine final : public sim::Engine {
  public:
    sim::Result play(const graph::Graph& /*graph*/, const sim::Durations& /*durations*/,
                     sim::Asked /*asked*/) override {
        return {};
    }
    sim::MemoryPeak peak_memory(const graph::Graph& /*graph*/) override {
        ++asked;
        return peak;
    }
    sim::MemoryPeak peak;
    int asked{0};
};

class FitStage : public testing::Test {
  protected:
    test::JobOnH100 bench_;
    Fit fit_;
    Evaluation evaluation_;
    TellingEngine engine_;
};

TEST_F(FitStage, WhatIsResidentIsAskedFirst) {
    const Job fits = bench_.job();
    EXPECT_TRUE(Fit::residents(fits, bench_.build(fits), evaluation_));
    EXPECT_FALSE(evaluation_.shortage);
    bench_.scenario.workload.layout.tp = 1;
    bench_.scenario.workload.stack.zero = 0;
    const Job full = bench_.job();
    EXPECT_FALSE(Fit::residents(full, bench_.build(full), evaluation_)) << "18 B for each of 8e9 parameters";
    EXPECT_TRUE(evaluation_.shortage);
    evaluation_ = {};
    const Job all_the_same = bench_.job(0.0, WhenFull::simulate);
    EXPECT_TRUE(Fit::residents(all_the_same, bench_.build(all_the_same), evaluation_));
    EXPECT_FALSE(evaluation_.shortage);
}

TEST_F(FitStage, ThePeakMustFitToTheByte) {
    const double capacity = bench_.scenario.system.cluster.device.memory.capacity.value();
    bench_.scenario.workload.stack.allocator_overhead = 0.0;
    const Job job = bench_.job();
    const graph::Graph& graph = bench_.build(job);
    engine_.peak.total = capacity;
    EXPECT_TRUE(fit_.iteration(job, graph, engine_, evaluation_));
    EXPECT_EQ(evaluation_.memory.total, capacity);
    fit_.forget();
    engine_.peak.total = capacity + 1.0;
    EXPECT_FALSE(fit_.iteration(job, graph, engine_, evaluation_));
    ASSERT_TRUE(evaluation_.shortage);
    EXPECT_EQ(evaluation_.shortage->need.value(), capacity + 1.0);
}

/// A graph's peak depends on its numbers, its schedule and how often that turns.
TEST_F(FitStage, AsksTheEngineOnceAGraph) {
    const auto ask = [&] {
        const Job job = bench_.job();
        EXPECT_TRUE(fit_.iteration(job, bench_.build(job), engine_, evaluation_));
    };
    ask();
    ask();
    EXPECT_EQ(engine_.asked, 1);
    bench_.scenario.workload.global_batch = 32;
    ask();
    EXPECT_EQ(engine_.asked, 2) << "more microbatches";
    fit_.forget();
    ask();
    EXPECT_EQ(engine_.asked, 3);
}

TEST_F(FitStage, AServerNeedsWhatItsStepOrItsPromptsNeed) {
    bench_.scenario.workload.stack.allocator_overhead = 0.0;
    const Job job = bench_.job();
    const graph::Graph& graph = bench_.build(job);
    StageNeed step;
    step.resident_total = 3e9;
    step.passing_total = 1e9;
    StageNeed prompt;
    prompt.passing_total = 2e9;
    EXPECT_TRUE(Fit::step(job, graph, {&step, 1}, {}, evaluation_));
    EXPECT_EQ(evaluation_.memory.total, 4e9);
    EXPECT_TRUE(Fit::step(job, graph, {&step, 1}, {&prompt, 1}, evaluation_));
    EXPECT_EQ(evaluation_.memory.total, 5e9);
    prompt.passing_total = 1e15;
    EXPECT_FALSE(Fit::step(job, graph, {&step, 1}, {&prompt, 1}, evaluation_));
    EXPECT_TRUE(evaluation_.shortage);
}

}  // namespace
}  // namespace dse::eval
