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
