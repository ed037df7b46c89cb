#include "dse/graph/work.hpp"

#include <set>
#include <string_view>

#include <gtest/gtest.h>

namespace dse::graph {
namespace {

TEST(Work, OperatorClassesAreNamedAsDeviceFilesNameThem) {
    EXPECT_EQ(name(OpClass::gemm), "gemm");
    EXPECT_EQ(name(OpClass::attention), "attention");
    EXPECT_EQ(name(OpClass::elementwise), "elementwise");
    EXPECT_EQ(name(OpClass::normalization), "normalization");
    EXPECT_EQ(name(OpClass::softmax), "softmax");
    EXPECT_EQ(name(OpClass::embedding), "embedding");
    EXPECT_EQ(name(OpClass::loss), "loss");
    EXPECT_EQ(name(OpClass::optimizer), "optimizer");
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < op_class_count; ++i) names.insert(name(static_cast<OpClass>(i)));
    EXPECT_EQ(names.size(), op_class_count);
}

TEST(Work, CollectivesAreNamed) {
    EXPECT_EQ(name(CollectiveKind::all_reduce), "all_reduce");
    EXPECT_EQ(name(CollectiveKind::all_gather), "all_gather");
    EXPECT_EQ(name(CollectiveKind::reduce_scatter), "reduce_scatter");
    EXPECT_EQ(name(CollectiveKind::all_to_all), "all_to_all");
    EXPECT_EQ(name(CollectiveKind::broadcast), "broadcast");
    EXPECT_EQ(name(CollectiveKind::ring_shift), "ring_shift");
}

// A collective whose builder says nothing of overlap costs its whole time; a transfer costs the sender none.
TEST(Work, NothingIsHiddenUnlessSaidSo) {
    EXPECT_EQ(Collective{}.exposed, 1.0);
    EXPECT_EQ(Transfer{}.exposed, 0.0);
    EXPECT_EQ(Compute{}.kernels, 1.0);
    EXPECT_EQ(Compute{}.model_flop, Flop{0});
}

// Four stages of two ranks, {0, 1} to {6, 7}.
TEST(MembersOf, AreTheGroupItsEndsOrAPair) {
    const Mesh mesh = Mesh::dense(2, 1, 1, 4);
    const AxisSet stages = MeshAxis::pipeline;
    using Ranks = std::vector<std::int64_t>;
    EXPECT_EQ(members_of(stages, Members::all, mesh, 3), (Ranks{1, 3, 5, 7}));
    EXPECT_EQ(members_of(stages, Members::ends, mesh, 3), (Ranks{1, 7}));
    EXPECT_EQ(members_of(stages, Members::mirrors, mesh, 3), (Ranks{3, 5}));
    EXPECT_EQ(members_of(stages, Members::mirrors, mesh, 6), (Ranks{0, 6}));
    EXPECT_EQ(members_of(MeshAxis::tensor, Members::all, mesh, 6), (Ranks{6, 7}));
}

}  // namespace
}  // namespace dse::graph
