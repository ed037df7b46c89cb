#include "dse/model/network/group_mesh.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace dse::model {
namespace {

using Ranks = std::vector<std::int64_t>;

TEST(GroupMesh, has_the_members_as_a_group) {
    const std::vector<Ranks> groups{{0, 1, 2, 3},
                                    {3, 1, 0, 2},
                                    {5},
                                    {1, 5, 9, 13},
                                    {2, 3, 6, 7},
                                    {0, 1, 8, 9},
                                    {0, 8},
                                    {4, 5, 6, 7},
                                    {0, 2, 8, 10},
                                    {1, 3, 5, 7},
                                    {0, 1, 2, 3, 8, 9, 10, 11}};
    for (const Ranks& members : groups) {
        const auto found = group_mesh(members, 16);
        ASSERT_TRUE(found) << members[0] << ", " << members.back();
        Ranks sorted{members};
        std::ranges::sort(sorted);
        EXPECT_EQ(found->mesh.group(found->axes, members[0]), sorted);
        EXPECT_EQ(found->mesh.ranks(), 16);
        EXPECT_EQ(found->mesh.degree(found->axes), std::ssize(members));
    }
}

TEST(GroupMesh, refuses_what_no_mesh_has) {
    EXPECT_FALSE(group_mesh(Ranks{0, 1, 3}, 16)) << "no pattern";
    EXPECT_FALSE(group_mesh(Ranks{0, 1, 2}, 16)) << "threes do not fill 16 devices";
    EXPECT_FALSE(group_mesh(Ranks{1, 2}, 16)) << "pairs are 0-1, 2-3, …";
    EXPECT_FALSE(group_mesh(Ranks{0, 1, 2, 3, 6, 7}, 24)) << "rows of different lengths";
}

/// Whatever mesh a group comes from, its group is found again.
TEST(GroupMesh, finds_the_groups_of_meshes) {
    std::mt19937_64 random{3};
    const auto degree = [&] { return std::int64_t{1} << random() % 4; };
    for (int round = 0; round < 200; ++round) {
        const graph::Mesh mesh = graph::Mesh::dense(degree(), degree(), degree(), degree());
        using graph::MeshAxis;
        for (const graph::AxisSet axes : {graph::AxisSet{MeshAxis::tensor}, graph::AxisSet{MeshAxis::data},
                                          graph::AxisSet{MeshAxis::context} | MeshAxis::data,
                                          graph::AxisSet{MeshAxis::tensor} | MeshAxis::data}) {
            const Ranks members = mesh.group(
                axes, static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(mesh.ranks())));
            const auto found = group_mesh(members, mesh.ranks());
            ASSERT_TRUE(found) << "round " << round;
            EXPECT_EQ(found->mesh.group(found->axes, members.back()), members);
        }
    }
}

}  // namespace
}  // namespace dse::model
