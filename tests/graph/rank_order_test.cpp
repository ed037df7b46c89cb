#include "dse/graph/rank_order.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::graph {
namespace {

RankOrder named(std::string_view name) {
    const auto names = choice_names(RankOrder{});
    const auto found = std::find(names.begin(), names.end(), name);
    EXPECT_NE(found, names.end()) << name;
    return static_cast<RankOrder>(found - names.begin());
}

TEST(RankOrder, HasEveryOrderOnce) {
    const auto names = choice_names(RankOrder{});
    EXPECT_EQ(names.size(), 120U);
    EXPECT_EQ(std::set(names.begin(), names.end()).size(), 120U);
    EXPECT_EQ(names.front(), "tp-cp-ep-dp-pp");
}

TEST(RankOrder, TheFirstIsThatOfAMesh) {
    Mesh mesh;
    mesh.order.fill(MeshAxis::pipeline);
    set_order(RankOrder{}, mesh);
    EXPECT_EQ(mesh.order, Mesh{}.order);
}

/// tp 2 · dp 3 · pp 4 in Megatron's other order: rank = t + 2 p + 8 d.
TEST(RankOrder, DecidesWhoAreNeighbours) {
    Mesh mesh = Mesh::dense(2, 1, 3, 4);
    set_order(named("tp-cp-ep-pp-dp"), mesh);
    EXPECT_EQ(mesh.stride(MeshAxis::tensor), 1);
    EXPECT_EQ(mesh.stride(MeshAxis::pipeline), 2);
    EXPECT_EQ(mesh.stride(MeshAxis::data), 8);
}

TEST(RankOrder, StagesAreTheSameRanksForExperts) {
    Mesh mesh = Mesh::dense(2, 1, 4, 4);
    mesh.set_degree(MeshAxis::expert, 4);
    mesh.set_degree(MeshAxis::expert_data, 2);
    require_equal_stages(mesh);
    set_order(named("tp-cp-ep-pp-dp"), mesh);
    EXPECT_THROW(require_equal_stages(mesh), ModelError) << "2 ranks apart, or 4";
    mesh.set_degree(MeshAxis::expert, 2);
    mesh.set_degree(MeshAxis::expert_data, 4);
    require_equal_stages(mesh);
    EXPECT_EQ(mesh.stride(MeshAxis::pipeline), 2);
}

}  // namespace
}  // namespace dse::graph
