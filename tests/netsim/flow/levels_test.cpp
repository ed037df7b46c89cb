#include "netsim/flow/levels.hpp"

#include <tuple>

#include <gtest/gtest.h>

#include "netsim/flow/machines.hpp"

namespace dse::netsim::flow {
namespace {

using graph::Mesh;
using graph::MeshAxis;
using hardware::Algorithm;
using hardware::DimensionKind;
using hardware::TopologyKind;

/// Comparable.
std::vector<std::tuple<std::int64_t, DimensionKind, bool>> said(const std::vector<Level>& levels) {
    std::vector<std::tuple<std::int64_t, DimensionKind, bool>> result;
    result.reserve(levels.size());
    for (const Level& level : levels) result.emplace_back(level.members, level.kind, level.closed);
    return result;
}

TEST(Levels, UnevenGroupsHaveOneLevel) {
    // Groups of 3 in domains of 4: no level of 3 fits.
    hardware::NetworkSpec network = test::small_network();
    network.topology.collectives = Algorithm::ring;
    const std::vector<Level> levels = levels_of(network, Mesh::dense(3, 1, 4, 1), MeshAxis::tensor);
    ASSERT_EQ(levels.size(), 1U);
    EXPECT_EQ(levels[0].members, 3);
}

TEST(Levels, ARingIsClosedWhereTheGroupGoesAround) {
    // Ranks along rings of 4, 2 and 4: tensor parallelism takes half of the first, data parallelism its other
    // half and the whole second one, the pipeline the whole third.
    hardware::NetworkSpec torus = test::small_network(TopologyKind::dimensions);
    for (const std::int64_t size : {4, 2, 4})
        torus.dimensions.push_back(test::dimension(DimensionKind::ring, size));
    const Mesh mesh = Mesh::dense(2, 1, 4, 4);
    using Levels = std::vector<std::tuple<std::int64_t, DimensionKind, bool>>;
    constexpr auto ring = DimensionKind::ring;
    EXPECT_EQ(said(levels_of(torus, mesh, MeshAxis::tensor)), (Levels{{2, ring, false}}));
    EXPECT_EQ(said(levels_of(torus, mesh, MeshAxis::data)), (Levels{{2, ring, true}, {2, ring, true}}));
    EXPECT_EQ(said(levels_of(torus, mesh, MeshAxis::pipeline)), (Levels{{4, ring, true}}));
}

TEST(Levels, AListedGroupHasTheLevelsOfTheSameGroupOfAMesh) {
    hardware::NetworkSpec torus = test::small_network(TopologyKind::dimensions);
    for (const std::int64_t size : {4, 2, 4})
        torus.dimensions.push_back(test::dimension(DimensionKind::ring, size));
    const Mesh mesh = Mesh::dense(2, 1, 4, 4);
    for (const hardware::NetworkSpec& network : {test::small_network(), torus}) {
        for (const graph::AxisSet axes :
             {graph::AxisSet{MeshAxis::tensor}, graph::AxisSet{MeshAxis::data},
              graph::AxisSet{MeshAxis::pipeline}, MeshAxis::tensor | graph::AxisSet{MeshAxis::data},
              MeshAxis::tensor | graph::AxisSet{MeshAxis::pipeline}}) {
            for (const std::int64_t rank : {0, 5, 31}) {
                EXPECT_EQ(said(levels_of(network, mesh.ranks(), mesh.group(axes, rank))),
                          said(levels_of(network, mesh, axes)))
                    << axes.bits() << " of " << rank;
            }
        }
    }
}

TEST(Levels, AListedGroupNeedsNotTileTheMachine) {
    const hardware::NetworkSpec network = test::small_network();  // domains of 4
    using Members = std::vector<std::int64_t>;
    const auto levels = [&](const Members& members) {
        std::vector<std::int64_t> sizes;
        for (const Level& level : levels_of(network, 28, members)) sizes.push_back(level.members);
        return sizes;
    };
    EXPECT_EQ(levels({0, 1, 12, 13, 20, 21}), (Members{2, 3})) << "two in each of three domains";
    EXPECT_EQ(levels({4, 8, 24}), (Members{3})) << "one in each domain";
    EXPECT_EQ(levels({0, 1, 4}), (Members{3})) << "uneven: one level";
    EXPECT_EQ(levels({0, 1, 6, 7}), (Members{4})) << "other devices of each domain: no common levels";
}

TEST(Levels, LevelsAreDomainsAndTheFabric) {
    const std::vector<Level> levels =
        levels_of(test::small_network(), Mesh::dense(1, 1, 16, 1), MeshAxis::data);
    ASSERT_EQ(levels.size(), 2U);
    EXPECT_EQ(levels[0].members, 4);
    EXPECT_EQ(levels[1].members, 4);
}

}  // namespace
}  // namespace dse::netsim::flow
