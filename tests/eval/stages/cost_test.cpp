#include "eval/stages/cost.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "eval/stages/job_on_h100.hpp"

namespace dse::eval {
namespace {

class CostStage : public testing::Test {
  protected:
    test::JobOnH100 bench_;
    Cost cost_{bench_.machines()};
};

TEST_F(CostStage, IsWhatTheGraphTakesOnTheMachine) {
    const Job job = bench_.job(1.0);
    const graph::Graph& graph = bench_.build(job);
    const Cost::Costed costed = cost_(job, graph);
    EXPECT_EQ(costed.graph, &graph) << "all devices are alike";
    EXPECT_EQ(costed.durations->of_work.size(), graph.works.size());
    EXPECT_EQ(costed.total.model_flop.value(), graph::totals(graph).model_flop.value());
    const std::vector<sim::NodeTime> before = costed.durations->of_work;
    EXPECT_EQ(cost_(job, graph).durations, costed.durations);

    auto& bandwidth = bench_.scenario.system.cluster.network.scale_up.link.bandwidth;
    bandwidth = bandwidth * 0.5;
    const Job slower = bench_.job(2.0);
    const std::vector<sim::NodeTime>& after = cost_(slower, bench_.build(slower)).durations->of_work;
    double longest = 0.0;
    for (std::size_t i = 0; i < before.size(); ++i)
        longest = std::max(longest, after[i].duration / std::max(before[i].duration, 1e-30));
    EXPECT_GT(longest, 1.5) << "a collective in the node";
    EXPECT_LE(longest, 2.0) << "what is latency takes no longer";
}

TEST_F(CostStage, TakesKernelsFromAMachineThatDiffersInItsNetwork) {
    const Job job = bench_.job(1.0, WhenFull::refuse, 7);
    const graph::Graph& graph = bench_.build(job);
    const std::vector<sim::NodeTime> before = cost_(job, graph).durations->of_work;
    auto& bandwidth = bench_.scenario.system.cluster.network.scale_up.link.bandwidth;
    bandwidth = bandwidth * 0.5;
    const Job slower = bench_.job(2.0, WhenFull::refuse, 7);
    const std::vector<sim::NodeTime> after = cost_(slower, graph).durations->of_work;
    Cost anew{bench_.machines()};
    EXPECT_EQ(after, anew(slower, graph).durations->of_work);
    EXPECT_NE(after, before) << "collectives take longer";
    bench_.scenario.system.cluster.device.memory.bandwidth = BytesPerSecond{1e12};
    const Job other = bench_.job(3.0, WhenFull::refuse, 8);
    EXPECT_EQ(cost_(other, graph).durations->of_work, anew(other, graph).durations->of_work);
    EXPECT_NE(cost_(other, graph).durations->of_work, after) << "kernels take longer";
}

TEST_F(CostStage, CountsOneStepOfALoop) {
    bench_.scenario.workload.mode = graph::Mode::decode;
    bench_.scenario.workload.layout.pp = 2;
    bench_.scenario.workload.serving.pipeline_batches = 2;
    const Job job = bench_.job();
    ASSERT_GT(job.layout.steps, 1U);
    const graph::Graph& graph = bench_.build(job);
    EXPECT_DOUBLE_EQ(cost_(job, graph).total.model_flop.value() * job.layout.steps,
                     graph::totals(graph).model_flop.value());
}

TEST_F(CostStage, StagesOfSeveralDevicesHaveKernelsOfTheirOwn) {
    bench_.scenario.workload.layout.pp = 2;
    hardware::DeviceClassSpec other;
    other.device = bench_.scenario.system.cluster.device;
    other.device.peak.bf16 = other.device.peak.bf16 * 0.5;
    other.ranks = {8, 8, 1};
    bench_.scenario.system.device_classes = {other};
    const Job job = bench_.job();
    const graph::Graph& graph = bench_.build(job);
    const Cost::Costed costed = cost_(job, graph);
    EXPECT_NE(costed.graph, &graph);
    EXPECT_EQ(&cost_.played(job, graph), costed.graph);
    EXPECT_GT(costed.graph->works.size(), graph.works.size());
    EXPECT_EQ(costed.total.model_flop.value(), graph::totals(graph).model_flop.value());
}

}  // namespace
}  // namespace dse::eval
