#include "dse/netsim/astra/played_ticks.hpp"

#include <gtest/gtest.h>

namespace dse::netsim {
namespace {

using graph::CollectiveKind;
using graph::Mesh;
using graph::MeshAxis;

TEST(AstraPlayedTicks, plays_each_collective_once) {
    AstraPlayedTicks memory;
    int plays = 0;
    const auto find = [&](CollectiveKind kind, std::int64_t bytes, MeshAxis axis, const Mesh& mesh) {
        return memory.find(kind, bytes, axis, mesh, [&] { return Ticks{++plays}; });
    };
    const Mesh mesh = Mesh::dense(2, 1, 4, 1);
    EXPECT_EQ(find(CollectiveKind::all_reduce, 100, MeshAxis::data, mesh), 1);
    EXPECT_EQ(find(CollectiveKind::all_reduce, 100, MeshAxis::data, mesh), 1);
    // Whatever differs is another one.
    EXPECT_EQ(find(CollectiveKind::all_gather, 100, MeshAxis::data, mesh), 2);
    EXPECT_EQ(find(CollectiveKind::all_reduce, 101, MeshAxis::data, mesh), 3);
    EXPECT_EQ(find(CollectiveKind::all_reduce, 100, MeshAxis::tensor, mesh), 4);
    EXPECT_EQ(find(CollectiveKind::all_reduce, 100, MeshAxis::data, Mesh::dense(4, 1, 4, 1)), 5);
    Mesh turned = mesh;
    std::swap(turned.order[0], turned.order[4]);
    EXPECT_EQ(find(CollectiveKind::all_reduce, 100, MeshAxis::data, turned), 6);
    EXPECT_EQ(find(CollectiveKind::all_reduce, 100, MeshAxis::data, mesh), 1);
}

TEST(AstraPlayedTicks, forgets_when_it_is_full) {
    AstraPlayedTicks memory;
    const auto find = [&](std::int64_t bytes, Ticks ticks) {
        return memory.find(CollectiveKind::all_reduce, bytes, MeshAxis::data, Mesh{}, [&] { return ticks; });
    };
    for (std::size_t i = 0; i < AstraPlayedTicks::most; ++i) find(static_cast<std::int64_t>(i), 1);
    EXPECT_EQ(find(0, 2), 1);
    find(-1, 1);
    EXPECT_EQ(find(0, 2), 2);
}

}  // namespace
}  // namespace dse::netsim
