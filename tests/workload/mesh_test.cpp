#include "dse/workload/mesh.hpp"

#include <algorithm>
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::workload {
namespace {

using testing::ElementsAre;

constexpr AxisSet all_axes =
    AxisSet{MeshAxis::tensor} | MeshAxis::context | MeshAxis::expert | MeshAxis::data | MeshAxis::pipeline;

/// tp 2, cp 1, ep 1, dp 3, pp 2 in Megatron's order: rank = t + 2 d + 6 p.
Mesh twelve() {
    return Mesh{{2, 1, 1, 3, 2}, Mesh{}.order};
}

TEST(AxisSet, IsASet) {
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
    EXPECT_EQ(all_axes.bits(), 0b11111);
}

TEST(Mesh, ShortNames) {
    EXPECT_EQ(short_name(MeshAxis::tensor), "tp");
    EXPECT_EQ(short_name(MeshAxis::context), "cp");
    EXPECT_EQ(short_name(MeshAxis::expert), "ep");
    EXPECT_EQ(short_name(MeshAxis::data), "dp");
    EXPECT_EQ(short_name(MeshAxis::pipeline), "pp");
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
    mesh.order = {MeshAxis::data, MeshAxis::tensor, MeshAxis::context, MeshAxis::expert, MeshAxis::pipeline};
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

Mesh random_mesh(std::mt19937& random) {
    Mesh mesh;
    for (std::int64_t& extent : mesh.size) extent = 1 + static_cast<std::int64_t>(random() % 4);
    std::shuffle(mesh.order.begin(), mesh.order.end(), random);
    return mesh;
}

AxisSet random_axes(std::mt19937& random) {
    AxisSet axes;
    for (const MeshAxis axis : Mesh{}.order) {
        if (random() % 2 == 0) axes = axes | axis;
    }
    return axes;
}

// What a group is, said without strides: the ranks that agree with `rank` on every axis outside `axes`.
std::vector<std::int64_t> group_by_definition(const Mesh& mesh, AxisSet axes, std::int64_t rank) {
    std::vector<std::int64_t> members;
    for (std::int64_t other = 0; other < mesh.ranks(); ++other) {
        const bool agrees = std::all_of(mesh.order.begin(), mesh.order.end(), [&](MeshAxis axis) {
            return axes.contains(axis) || mesh.coordinate(axis, other) == mesh.coordinate(axis, rank);
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

// Coordinates name a rank: all five together are distinct, and the rank is their sum over the strides.
TEST(Mesh, CoordinatesNameEveryRankOnce) {
    std::mt19937 random(11);
    for (int trial = 0; trial < 50; ++trial) {
        const Mesh mesh = random_mesh(random);
        for (std::int64_t rank = 0; rank < mesh.ranks(); ++rank) {
            std::int64_t sum = 0;
            for (const MeshAxis axis : mesh.order) {
                EXPECT_LT(mesh.coordinate(axis, rank), mesh.degree(axis));
                sum += mesh.coordinate(axis, rank) * mesh.stride(axis);
            }
            EXPECT_EQ(sum, rank);
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
}  // namespace dse::workload
