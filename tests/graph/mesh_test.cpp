#include "dse/graph/mesh.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::graph {
namespace {

using testing::ElementsAre;

constexpr AxisSet all_axes =
    AxisSet{MeshAxis::tensor} | MeshAxis::context | MeshAxis::data | MeshAxis::pipeline;

/// tp 2, cp 1, dp 3, pp 2 in Megatron's order: rank = t + 2 d + 6 p.
Mesh twelve() {
    return Mesh::dense(2, 1, 3, 2);
}

TEST(AxisSet, UnitesIntersectsAndSubtracts) {
    const AxisSet both = AxisSet{MeshAxis::tensor} | MeshAxis::data;
    EXPECT_TRUE(AxisSet{}.empty());
    EXPECT_FALSE(both.empty());
    EXPECT_TRUE(both.contains(MeshAxis::tensor));
    EXPECT_FALSE(both.contains(MeshAxis::pipeline));
    EXPECT_TRUE(both.contains(AxisSet{}));
    EXPECT_TRUE(all_axes.contains(both));
    EXPECT_FALSE(both.contains(all_axes));
    EXPECT_EQ(both - MeshAxis::tensor, AxisSet{MeshAxis::data});
    EXPECT_EQ(both - MeshAxis::pipeline, both);
    EXPECT_EQ(both & MeshAxis::data, AxisSet{MeshAxis::data});
    EXPECT_EQ(both | MeshAxis::data, both);
    EXPECT_EQ(all_axes.bits(), 0b0011011);
    EXPECT_EQ((all_axes | expert_axes).bits(), 0b11011111);
    EXPECT_EQ((folding_of(attention_axes) | folding_of(expert_axes)).bits(), 0b11111111);
}

TEST(Mesh, ShortNames) {
    EXPECT_EQ(short_name(MeshAxis::tensor), "tp");
    EXPECT_EQ(short_name(MeshAxis::context), "cp");
    EXPECT_EQ(short_name(MeshAxis::expert), "ep");
    EXPECT_EQ(short_name(MeshAxis::data), "dp");
    EXPECT_EQ(short_name(MeshAxis::pipeline), "pp");
    EXPECT_EQ(short_name(MeshAxis::replica), "dp_replicate");
    EXPECT_EQ(short_name(MeshAxis::expert_tensor), "etp");
    EXPECT_EQ(short_name(MeshAxis::expert_data), "edp");
}

TEST(Mesh, OneRankUnlessSaidOtherwise) {
    EXPECT_EQ(Mesh{}.ranks(), 1);
    EXPECT_THAT(Mesh{}.group(all_axes, 0), ElementsAre(0));
}

TEST(Mesh, DegreesAndStridesByHand) {
    const Mesh mesh = twelve();
    EXPECT_EQ(mesh.ranks(), 12);
    EXPECT_EQ(mesh.degree(MeshAxis::data), 3);
    EXPECT_EQ(mesh.degree(AxisSet{MeshAxis::tensor} | MeshAxis::data), 6);
    EXPECT_EQ(mesh.degree(AxisSet{}), 1);
    EXPECT_EQ(mesh.stride(MeshAxis::tensor), 1);
    EXPECT_EQ(mesh.stride(MeshAxis::data), 2);
    EXPECT_EQ(mesh.stride(MeshAxis::pipeline), 6);
}

TEST(Mesh, GroupsByHand) {
    const Mesh mesh = twelve();
    // Rank 9 = 1 + 2·1 + 6·1: t = 1, d = 1, p = 1.
    EXPECT_EQ(mesh.coordinate(MeshAxis::tensor, 9), 1);
    EXPECT_EQ(mesh.coordinate(MeshAxis::data, 9), 1);
    EXPECT_EQ(mesh.coordinate(MeshAxis::pipeline, 9), 1);
    EXPECT_THAT(mesh.group(MeshAxis::tensor, 9), ElementsAre(8, 9));
    EXPECT_THAT(mesh.group(MeshAxis::data, 9), ElementsAre(7, 9, 11));
    EXPECT_THAT(mesh.group(MeshAxis::pipeline, 9), ElementsAre(3, 9));
    EXPECT_THAT(mesh.group(AxisSet{MeshAxis::tensor} | MeshAxis::pipeline, 9), ElementsAre(2, 3, 8, 9));
    EXPECT_THAT(mesh.group(AxisSet{}, 9), ElementsAre(9));
}

TEST(Mesh, OrderDecidesWhoAreNeighbours) {
    Mesh mesh = twelve();
    mesh.order = {MeshAxis::data,          MeshAxis::tensor,      MeshAxis::context, MeshAxis::expert,
                  MeshAxis::expert_tensor, MeshAxis::expert_data, MeshAxis::replica, MeshAxis::pipeline};
    EXPECT_EQ(mesh.stride(MeshAxis::data), 1);
    EXPECT_EQ(mesh.stride(MeshAxis::tensor), 3);
    EXPECT_THAT(mesh.group(MeshAxis::data, 4), ElementsAre(3, 4, 5));
    EXPECT_THAT(mesh.group(MeshAxis::tensor, 4), ElementsAre(1, 4));
}

TEST(Mesh, AxisThatTheOrderForgetsIsABug) {
    Mesh mesh;
    mesh.order.fill(MeshAxis::tensor);
    EXPECT_THROW((void)mesh.stride(MeshAxis::data), ContractViolation);
}

// Liu et al. 2025 (arXiv 2504.14960), figure 1's kind of folding: attention tp 2 · dp 4, experts etp 1 · ep 4
// · edp 2, two stages of 8 ranks. Attention: rank = t + 2 d + 8 p; experts: rank = e + 4 d' + 8 p.
TEST(Mesh, ExpertsFoldTheSameRanksAgain) {
    Mesh mesh = Mesh::dense(2, 1, 4, 2);
    mesh.set_degree(MeshAxis::expert, 4);
    mesh.set_degree(MeshAxis::expert_data, 2);
    EXPECT_EQ(mesh.ranks(), 16);
    EXPECT_EQ(mesh.degree(expert_axes | MeshAxis::pipeline), 16);
    EXPECT_EQ(mesh.stride(MeshAxis::expert), 1);
    EXPECT_EQ(mesh.stride(MeshAxis::expert_data), 4);
    EXPECT_EQ(mesh.stride(MeshAxis::pipeline), 8);
    // Rank 14 = 2 + 4·1 + 8·1 for experts, 0 + 2·3 + 8·1 for attention.
    EXPECT_THAT(mesh.group(MeshAxis::expert, 14), ElementsAre(12, 13, 14, 15));
    EXPECT_THAT(mesh.group(MeshAxis::expert_data, 14), ElementsAre(10, 14));
    EXPECT_THAT(mesh.group(MeshAxis::data, 14), ElementsAre(8, 10, 12, 14));
    EXPECT_THAT(mesh.group(MeshAxis::tensor, 14), ElementsAre(14, 15));
    EXPECT_EQ(mesh.group(expert_axes, 14), mesh.group(attention_axes, 14));
}

TEST(Mesh, GroupsHaveNumbers) {
    std::set<std::size_t> seen;
    for (const AxisSet folding : {folding_of(attention_axes), folding_of(expert_axes)}) {
        for (unsigned bits = 0; bits < 256; ++bits) {
            AxisSet axes;
            for (const MeshAxis axis : Mesh{}.order) {
                if ((bits & AxisSet{axis}.bits()) != 0) axes = axes | axis;
            }
            if (!folding.contains(axes)) continue;
            EXPECT_LT(group_index(axes), group_count);
            EXPECT_EQ(group_axes(group_index(axes)), axes);
            if (folding.contains(MeshAxis::tensor)) {
                EXPECT_EQ(group_index(axes), axes.bits());
            }
            seen.insert(group_index(axes));
        }
    }
    // 32 sets of either folding, of which the four without an axis of its own are the same.
    EXPECT_EQ(seen.size(), 60U);
}

/// Zhao et al. 2023, figure 4b's kind of layout: shards are neighbours, replicas of them stand farther apart.
/// tp 2 · dp 2 in each of 3 replicas, 2 stages: rank = t + 2 d + 4 r + 12 p.
TEST(Mesh, ReplicasStandOutsideOfTheRanksThatShard) {
    Mesh mesh = Mesh::dense(2, 1, 2, 2);
    mesh.set_degree(MeshAxis::replica, 3);
    EXPECT_EQ(mesh.ranks(), 24);
    EXPECT_EQ(mesh.stride(MeshAxis::data), 2);
    EXPECT_EQ(mesh.stride(MeshAxis::replica), 4);
    EXPECT_EQ(mesh.stride(MeshAxis::pipeline), 12);
    EXPECT_THAT(mesh.group(MeshAxis::data, 17), ElementsAre(17, 19)) << "1 + 2·0 + 4·1 + 12·1";
    EXPECT_THAT(mesh.group(MeshAxis::replica, 17), ElementsAre(13, 17, 21));
    // Experts have the replicas in common with attention: edp 4 of them in each.
    EXPECT_THAT(mesh.group(MeshAxis::expert_data, 17), ElementsAre(16, 17, 18, 19));
    EXPECT_EQ(mesh.degree(folding_of(expert_axes)), 24);
}

TEST(Mesh, NoGroupIsOfBothFoldings) {
    const Mesh mesh = twelve();
    EXPECT_THROW((void)mesh.group(AxisSet{MeshAxis::tensor} | MeshAxis::expert, 0), ContractViolation);
}

Mesh random_mesh(std::mt19937& random) {
    std::array<std::int64_t, 4> size{};
    for (std::int64_t& extent : size) extent = 1 + static_cast<std::int64_t>(random() % 4);
    Mesh mesh = Mesh::dense(size[0], size[1], size[2], size[3]);
    std::array<std::int64_t, 3> again{size[0], size[1], size[2]};
    std::shuffle(again.begin(), again.end(), random);
    mesh.set_degree(MeshAxis::expert_tensor, again[0]);
    mesh.set_degree(MeshAxis::expert, again[1]);
    mesh.set_degree(MeshAxis::expert_data, again[2]);
    // Any order within a stage; stages outermost, so that both foldings have the same.
    std::shuffle(mesh.order.begin(), mesh.order.end() - 1, random);
    return mesh;
}

/// Of one folding.
AxisSet random_axes(std::mt19937& random) {
    const AxisSet folding = folding_of(random() % 2 == 0 ? MeshAxis::tensor : MeshAxis::expert);
    AxisSet axes;
    for (const MeshAxis axis : Mesh{}.order) {
        if (folding.contains(axis) && random() % 2 == 0) axes = axes | axis;
    }
    return axes;
}

// What a group is, said without strides: the ranks that agree with `rank` on every axis outside `axes`.
std::vector<std::int64_t> group_by_definition(const Mesh& mesh, AxisSet axes, std::int64_t rank) {
    std::vector<std::int64_t> members;
    for (std::int64_t other = 0; other < mesh.ranks(); ++other) {
        const bool agrees = std::all_of(mesh.order.begin(), mesh.order.end(), [&](MeshAxis axis) {
            return axes.contains(axis) || !folding_of(axes).contains(axis) ||
                   mesh.coordinate(axis, other) == mesh.coordinate(axis, rank);
        });
        if (agrees) members.push_back(other);
    }
    return members;
}

TEST(Mesh, GroupsAreWhatTheirDefinitionSays) {
    std::mt19937 random(7);
    for (int trial = 0; trial < 200; ++trial) {
        const Mesh mesh = random_mesh(random);
        const AxisSet axes = random_axes(random);
        const auto rank = static_cast<std::int64_t>(random() % static_cast<unsigned>(mesh.ranks()));
        const auto group = mesh.group(axes, rank);
        EXPECT_EQ(group, group_by_definition(mesh, axes, rank));
        EXPECT_EQ(static_cast<std::int64_t>(group.size()), mesh.degree(axes));
    }
}

// Coordinates name a rank in either folding: the rank is their sum over the strides.
TEST(Mesh, CoordinatesNameEveryRankOnce) {
    std::mt19937 random(11);
    for (int trial = 0; trial < 50; ++trial) {
        const Mesh mesh = random_mesh(random);
        for (std::int64_t rank = 0; rank < mesh.ranks(); ++rank) {
            for (const AxisSet folding : {folding_of(MeshAxis::tensor), folding_of(MeshAxis::expert)}) {
                std::int64_t sum = 0;
                for (const MeshAxis axis : mesh.order) {
                    if (!folding.contains(axis)) continue;
                    EXPECT_LT(mesh.coordinate(axis, rank), mesh.degree(axis));
                    sum += mesh.coordinate(axis, rank) * mesh.stride(axis);
                }
                EXPECT_EQ(sum, rank);
            }
        }
    }
}

TEST(Mesh, GroupsOverTheSameAxesPartitionTheRanks) {
    std::mt19937 random(13);
    for (int trial = 0; trial < 50; ++trial) {
        const Mesh mesh = random_mesh(random);
        const AxisSet axes = random_axes(random);
        std::map<std::int64_t, int> times_seen;
        for (std::int64_t rank = 0; rank < mesh.ranks(); ++rank) {
            const auto group = mesh.group(axes, rank);
            if (group.front() != rank) continue;
            for (const std::int64_t member : group) ++times_seen[member];
        }
        EXPECT_EQ(static_cast<std::int64_t>(times_seen.size()), mesh.ranks());
        for (const auto& [rank, times] : times_seen) EXPECT_EQ(times, 1) << rank;
    }
}

}  // namespace
}  // namespace dse::graph
