#include "dse/workload/parallel_layout.hpp"

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::workload {
namespace {

ParallelLayout layout_of(std::int64_t tp, std::int64_t pp, std::int64_t microbatch) {
    ParallelLayout layout;
    layout.tp = tp;
    layout.pp = pp;
    layout.microbatch = microbatch;
    return layout;
}

TEST(ResolveLayout, GivesTheRestToDataParallelism) {
    // 1,024 devices / (8 · 4) = 32 replicas; each has 1,024 / 32 = 32 sequences, 16 microbatches of 2.
    const ResolvedLayout resolved = resolve(layout_of(8, 4, 2), 1024, 1024);
    EXPECT_EQ(resolved.mesh.degree(MeshAxis::tensor), 8);
    EXPECT_EQ(resolved.mesh.degree(MeshAxis::pipeline), 4);
    EXPECT_EQ(resolved.mesh.degree(MeshAxis::data), 32);
    EXPECT_EQ(resolved.mesh.ranks(), 1024);
    EXPECT_EQ(resolved.stages, 4U);
    EXPECT_EQ(resolved.chunks, 1U);
    EXPECT_EQ(resolved.microbatches, 16U);
}

TEST(ResolveLayout, TakesADataDegreeThatFits) {
    ParallelLayout layout = layout_of(2, 2, 1);
    layout.dp = 4;
    layout.virtual_stages = 3;
    const ResolvedLayout resolved = resolve(layout, 16, 8);
    EXPECT_EQ(resolved.mesh.degree(MeshAxis::data), 4);
    EXPECT_EQ(resolved.chunks, 3U);
    EXPECT_EQ(resolved.microbatches, 2U);
}

struct Misfit {
    std::string name;
    std::string message;  ///< part of it
    std::function<void(ParallelLayout&)> change;
};

class ResolveLayoutMisfit : public ::testing::TestWithParam<Misfit> {};

TEST_P(ResolveLayoutMisfit, IsRefusedByName) {
    ParallelLayout layout = layout_of(2, 2, 1);
    ASSERT_NO_THROW(resolve(layout, 16, 8));
    GetParam().change(layout);
    try {
        resolve(layout, 16, 8);
        FAIL() << "not refused";
    } catch (const ModelError& error) {
        EXPECT_NE(std::string{error.what()}.find(GetParam().message), std::string::npos) << error.what();
    }
}

INSTANTIATE_TEST_SUITE_P(
    Layout, ResolveLayoutMisfit,
    ::testing::Values(
        Misfit{"NoTensor", "tp is 0", [](ParallelLayout& l) { l.tp = 0; }},
        Misfit{"NegativePipeline", "pp is -1", [](ParallelLayout& l) { l.pp = -1; }},
        Misfit{"NoChunk", "virtual_stages is 0", [](ParallelLayout& l) { l.virtual_stages = 0; }},
        Misfit{"NoSequence", "microbatch is 0", [](ParallelLayout& l) { l.microbatch = 0; }},
        Misfit{"Devices", "tp 3 x pp 2 does not divide 16 devices", [](ParallelLayout& l) { l.tp = 3; }},
        Misfit{"Replicas", "x dp 5 is not 16 devices", [](ParallelLayout& l) { l.dp = 5; }},
        Misfit{"Batch", "dp 4 x microbatch 3 does not divide a global batch of 8",
               [](ParallelLayout& l) { l.microbatch = 3; }}),
    [](const auto& misfit) { return misfit.param.name; });

TEST(ResolveLayout, RefusesAnEmptyMachineAndAnEmptyBatch) {
    EXPECT_THROW(resolve(ParallelLayout{}, 0, 8), ModelError);
    EXPECT_THROW(resolve(ParallelLayout{}, 8, 0), ModelError);
}

}  // namespace
}  // namespace dse::workload
