#include "eval/stages/build.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "eval/stages/job_on_h100.hpp"

namespace dse::eval {
namespace {

TEST(BuildStage, LaysTheWorkloadOutOnTheMachine) {
    test::JobOnH100 bench;
    const Job job = bench.job();
    EXPECT_EQ(job.layout.mesh.degree(graph::MeshAxis::data), 4) << "16 devices, tp 4";
    const graph::Graph& graph = bench.build(job);
    EXPECT_EQ(graph.mesh.ranks(), 16);
    const std::uint64_t revision = graph.revision;
    EXPECT_EQ(bench.build(job).revision, revision) << "nothing has changed";
    bench.scenario.workload.layout.tp = 3;
    EXPECT_THROW(bench.job(), ModelError);
}

TEST(BuildStage, TakesTheLatestGraphWhereOnlyTheNetworkDiffers) {
    test::JobOnH100 bench;
    Job job = bench.job();
    job.beside_network = 5;
    const std::uint64_t revision = bench.build(job).revision;
    bench.scenario.workload.sequence = 4096;
    EXPECT_EQ(bench.build(job).revision, revision) << "the number says that nothing differs";
    EXPECT_NE(bench.build(bench.job()).revision, revision) << "nothing is known";
    job.beside_network = 6;
    const std::uint64_t longer = bench.build(job).revision;
    EXPECT_NE(longer, revision);
    bench.scenario.workload.sequence = 2048;
    const graph::WorkloadSpec prompt = bench.scenario.workload;
    bench.build(job_of(bench.scenario, prompt, job.machine, job.when_full, job.asked));
    EXPECT_NE(bench.build(job).revision, longer) << "another workload's graph came in between";
}

TEST(BuildStage, RunsTheLoopOfAServerAsOftenAsItIsTold) {
    test::JobOnH100 bench;
    bench.scenario.workload.mode = graph::Mode::decode;
    bench.scenario.workload.layout.pp = 2;
    bench.scenario.workload.serving.pipeline_batches = 2;
    const Job job = bench.job();
    ASSERT_GT(job.layout.steps, 1U);
    EXPECT_EQ(bench.build(job, 3).schedule.chunks, 3U);
    EXPECT_EQ(bench.build(job, 7).schedule.chunks, 7U);
}

}  // namespace
}  // namespace dse::eval
