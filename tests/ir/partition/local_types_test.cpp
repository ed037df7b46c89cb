#include "ir/partition/local_types.hpp"

#include <gtest/gtest.h>

namespace dse::ir::partition {
namespace {

const AxisRef x{0, 1, 4};

Type array(Sizes sizes) {
    Type type;
    type.element = ElementType::f32;
    type.sizes = std::move(sizes);
    return type;
}

TEST(LocalType, IsThePaddedPart) {
    EXPECT_EQ(local_type(array({8, 10}), {{}, {x}}).sizes, (Sizes{8, 3}));
    EXPECT_EQ(local_type(array({}), {}).sizes, Sizes{});
}

TEST(LocalType, OfATupleIsThatOfEachLeaf) {
    TypeTable types;
    Type tuple;
    tuple.kind = Type::Kind::tuple;
    tuple.members = {types.add(array({16, 32})), types.add(array({16, 32}))};
    EXPECT_EQ(types.text(local_type(types, types.add(tuple), {{{x}, {}}, {{}, {x}}})),
              "(f32[4,32], f32[16,8])");
}

TEST(LocalAttribute, TakesShardedDimensionsWhole) {
    const Type whole = array({8, 10});
    const Layout layout{{x}, {}};
    const Type local = local_type(whole, layout);
    const Attribute slice = SliceRanges{{0, 2}, {8, 6}, {1, 1}};
    const Type result = array({2, 4});
    EXPECT_EQ(std::get<SliceRanges>(local_attribute(slice, whole, layout, local, result)).limits,
              (Sizes{2, 6}));
    EXPECT_EQ(std::get<SliceSizes>(local_attribute(SliceSizes{{8, 4}}, whole, layout, local, result)).sizes,
              (Sizes{2, 4}));
    GatherDimensions gather;
    gather.slice_sizes = {8, 1};
    EXPECT_EQ(std::get<GatherDimensions>(local_attribute(gather, whole, layout, local, result)).slice_sizes,
              (Sizes{2, 1}));
}

}  // namespace
}  // namespace dse::ir::partition
