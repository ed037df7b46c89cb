#include "dse/graph/parallel_layout.hpp"

#include <array>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::graph {
namespace {

std::string reason(const ParallelLayout& layout, std::int64_t devices, std::int64_t batch) {
    try {
        static_cast<void>(resolve(layout, devices, batch));
    } catch (const ModelError& error) {
        return error.what();
    }
    return "";
}

TEST(ParallelLayout, DataParallelismIsWhatTheDevicesLeave) {
    ParallelLayout layout;
    layout.tp = 8;
    layout.pp = 4;
    layout.microbatch = 2;
    layout.virtual_stages = 3;
    const ResolvedLayout resolved = resolve(layout, 1024, 512);
    EXPECT_EQ(resolved.mesh.degree(MeshAxis::tensor), 8);
    EXPECT_EQ(resolved.mesh.degree(MeshAxis::data), 32);
    EXPECT_EQ(resolved.mesh.degree(MeshAxis::pipeline), 4);
    EXPECT_EQ(resolved.mesh.ranks(), 1024);
    EXPECT_EQ(resolved.stages, 4U);
    EXPECT_EQ(resolved.chunks, 3U);
    EXPECT_EQ(resolved.microbatches, 8U) << "512 / (32 · 2)";
    layout.dp = 32;
    EXPECT_EQ(resolve(layout, 1024, 512).microbatches, 8U) << "said or left, the same";
}

TEST(ParallelLayout, SomeSchedulesHaveTheirOwnChunks) {
    ParallelLayout layout;
    layout.pp = 4;
    for (const ScheduleKind kind : {ScheduleKind::zb_v, ScheduleKind::dualpipe}) {
        layout.schedule = kind;
        layout.virtual_stages = 1;
        EXPECT_EQ(resolve(layout, 8, 64).chunks, 2U);
        layout.virtual_stages = 2;
        EXPECT_NE(reason(layout, 8, 64).find("always has two chunks per stage"), std::string::npos);
    }
}

TEST(ParallelLayout, ContextRanksTakeFromTheReplicas) {
    ParallelLayout layout;
    layout.tp = 8;
    layout.cp = 4;
    layout.pp = 4;
    const ResolvedLayout resolved = resolve(layout, 1024, 512);
    EXPECT_EQ(resolved.mesh.degree(MeshAxis::context), 4);
    EXPECT_EQ(resolved.mesh.degree(MeshAxis::data), 8) << "1024 / (8 · 4 · 4)";
    EXPECT_EQ(resolved.microbatches, 64U) << "512 / 8: ranks of one sequence share it";
    layout.cp = 3;
    EXPECT_EQ(reason(layout, 1024, 512), "1024 devices are not divisible by tp 8 x cp 3 x pp 4");
    layout.cp = 0;
    EXPECT_NE(reason(layout, 1024, 512), "");
}

TEST(ParallelLayout, RefusesDegreesThatDoNotFit) {
    ParallelLayout layout;
    layout.tp = 8;
    layout.pp = 3;
    EXPECT_NE(reason(layout, 1024, 512), "") << "24 does not divide 1024";
    layout.pp = 4;
    layout.dp = 16;
    EXPECT_NE(reason(layout, 1024, 512), "") << "8 · 4 · 16 is 512";
    layout.dp = 0;
    EXPECT_EQ(reason(layout, 1024, 512), "");
    EXPECT_NE(reason(layout, 1024, 500), "") << "500 sequences on 32 replicas";
    layout.microbatch = 32;
    EXPECT_NE(reason(layout, 1024, 512), "") << "16 sequences a replica in microbatches of 32";
}

TEST(ParallelLayout, ExpertsFoldTheDevicesOfAStage) {
    ParallelLayout layout;
    layout.tp = 4;
    layout.pp = 2;
    layout.ep = 8;
    const auto degrees = [&] {
        const Mesh mesh = resolve(layout, 64, 64).mesh;
        return std::array{mesh.degree(MeshAxis::expert_tensor), mesh.degree(MeshAxis::expert),
                          mesh.degree(MeshAxis::expert_data)};
    };
    // 32 devices a stage; etp is tp unless said.
    EXPECT_EQ(degrees(), (std::array<std::int64_t, 3>{4, 8, 1}));
    layout.etp = 1;
    EXPECT_EQ(degrees(), (std::array<std::int64_t, 3>{1, 8, 4}));
    layout.etp = 2;
    EXPECT_EQ(degrees(), (std::array<std::int64_t, 3>{2, 8, 2}));
    layout.etp = 8;
    EXPECT_EQ(reason(layout, 64, 64),
              "the 32 devices of a pipeline stage are not divisible by etp 8 x ep 8 (etp 1: whole experts)");
    layout.ep = 1;
    EXPECT_EQ(degrees(), (std::array<std::int64_t, 3>{8, 1, 4}));
    layout.etp = 64;
    EXPECT_EQ(reason(layout, 64, 64), "the 32 devices of a pipeline stage are not divisible by etp 64 x ep 1")
        << "whole experts are no remedy";
    layout.etp = std::int64_t{1} << 62;
    EXPECT_NE(reason(layout, 64, 64), "") << "no product that wraps round";
    layout.etp = -1;
    EXPECT_NE(reason(layout, 64, 64), "");
}

TEST(ParallelLayout, StatesMayBeShardedOverAPartOfTheReplicas) {
    ParallelLayout layout;
    layout.tp = 2;
    layout.dp_shard = 8;
    layout.ep = 4;
    layout.etp = 1;
    // 64 devices: dp 32, in 4 replicas of 8; a replica's 16 devices hold etp 1 · ep 4 · edp 4.
    const Mesh mesh = resolve(layout, 64, 64).mesh;
    EXPECT_EQ(mesh.degree(MeshAxis::data), 8);
    EXPECT_EQ(mesh.degree(MeshAxis::replica), 4);
    EXPECT_EQ(mesh.degree(MeshAxis::expert_data), 4);
    EXPECT_EQ(mesh.ranks(), 64);
    EXPECT_EQ(resolve(layout, 64, 64).microbatches, 2U) << "64 sequences on dp 32, all replicas together";
    layout.dp_shard = 32;
    EXPECT_EQ(resolve(layout, 64, 64).mesh.degree(MeshAxis::replica), 1);
    layout.dp_shard = 12;
    EXPECT_EQ(reason(layout, 64, 64), "dp 32 is not divisible by dp_shard 12");
    layout.dp_shard = -1;
    EXPECT_NE(reason(layout, 64, 64), "");
    layout.dp_shard = 1;
    EXPECT_EQ(reason(layout, 64, 64), "the 2 devices of a pipeline stage are not divisible by etp 1 x ep 4");
}

TEST(ParallelLayout, RefusesWhatIsNotPositive) {
    for (std::int64_t ParallelLayout::*field :
         {&ParallelLayout::tp, &ParallelLayout::pp, &ParallelLayout::virtual_stages,
          &ParallelLayout::microbatch, &ParallelLayout::ep}) {
        for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-1}}) {
            ParallelLayout layout;
            layout.*field = value;
            EXPECT_NE(reason(layout, 8, 8), "");
        }
    }
    EXPECT_NE(reason({}, 0, 8), "");
    EXPECT_NE(reason({}, 8, 0), "");
    ParallelLayout negative;
    negative.dp = -8;
    EXPECT_NE(reason(negative, 8, 8), "");
}

/// Degrees as large as a sweep may name them overflow nothing.
TEST(ParallelLayout, HugeDegreesAreRefusedAndNotWrapped) {
    const std::int64_t huge = std::int64_t{1} << 40;
    ParallelLayout layout;
    layout.tp = huge;
    layout.pp = huge;
    EXPECT_NE(reason(layout, 1024, 1024), "");
    layout = {};
    layout.microbatch = std::numeric_limits<std::int64_t>::max();
    EXPECT_NE(reason(layout, 1024, 1024), "");
    layout = {};
    layout.virtual_stages = huge;
    EXPECT_NE(reason(layout, 1, 1), "");
    layout = {};
    EXPECT_NE(reason(layout, 1, huge), "") << "more microbatches than a schedule can have";
}

}  // namespace
}  // namespace dse::graph
