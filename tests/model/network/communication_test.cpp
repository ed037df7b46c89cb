#include "dse/model/network/communication.hpp"

#include <gtest/gtest.h>

namespace dse::model {
namespace {

using graph::CollectiveKind;
using graph::MeshAxis;

TEST(Communication, IsOfGroupsOrOfTheEndsOfThePipeline) {
    const graph::Mesh mesh = graph::Mesh::dense(2, 1, 1, 4);
    graph::Collective collective{
        .kind = CollectiveKind::all_reduce, .axes = MeshAxis::pipeline, .size = Bytes{8}};
    const Communication all = communication(collective, mesh);
    EXPECT_EQ(all.collective, CollectiveKind::all_reduce);
    EXPECT_EQ(all.size, Bytes{8});
    EXPECT_EQ(std::get<AxisGroups>(all.devices).mesh, &mesh);
    EXPECT_EQ(mesh.degree(std::get<AxisGroups>(all.devices).axes), 4);
    for (const graph::Members members : {graph::Members::ends, graph::Members::mirrors}) {
        collective.members = members;
        const Communication ends = communication(collective, mesh);
        EXPECT_EQ(ends.collective, CollectiveKind::all_reduce);
        EXPECT_EQ(std::get<StagePairs>(ends.devices).from, 0);
        EXPECT_EQ(std::get<StagePairs>(ends.devices).to, 3);
    }
}

}  // namespace
}  // namespace dse::model
