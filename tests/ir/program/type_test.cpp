#include "dse/ir/program/type.hpp"

#include <gtest/gtest.h>

namespace dse::ir {
namespace {

Type array(ElementType element, std::vector<std::int64_t> sizes) {
    Type type;
    type.element = element;
    type.sizes = std::move(sizes);
    return type;
}

TEST(TypeTable, StoresEqualTypesOnce) {
    TypeTable types;
    const TypeId a = types.add(array(ElementType::bf16, {8, 2048}));
    EXPECT_EQ(types.add(array(ElementType::bf16, {8, 2048})), a);
    EXPECT_NE(types.add(array(ElementType::f16, {8, 2048})), a);
    EXPECT_NE(types.add(array(ElementType::bf16, {2048, 8})), a);
    EXPECT_EQ(types.size(), 3U);
}

TEST(TypeTable, KeepsLayoutsAndMemorySpacesApart) {
    TypeTable types;
    Type on_host = array(ElementType::f32, {4});
    on_host.memory_space = host_memory_space;
    Type transposed = array(ElementType::f32, {4});
    transposed.minor_to_major = {0};
    const TypeId plain = types.add(array(ElementType::f32, {4}));
    EXPECT_NE(types.add(on_host), plain);
    EXPECT_NE(types.add(transposed), plain);
}

TEST(TypeTable, CountsElementsAndBytes) {
    TypeTable types;
    const TypeId array_type = types.add(array(ElementType::bf16, {8, 2048}));
    EXPECT_EQ(types.elements(array_type), 16384);
    EXPECT_EQ(types.bytes(array_type), 32768);
    const TypeId scalar = types.add(array(ElementType::s32, {}));
    EXPECT_EQ(types.elements(scalar), 1);
    Type pair;
    pair.kind = Type::Kind::tuple;
    pair.members = {array_type, scalar};
    const TypeId tuple = types.add(pair);
    EXPECT_EQ(types.bytes(tuple), 32768 + 4);
    EXPECT_EQ(types.text(tuple), "(bf16[8,2048], s32[])");
}

TEST(TypeTable, PacksElementsOfLessThanAByte) {
    TypeTable types;
    EXPECT_EQ(types.bytes(types.add(array(ElementType::u4, {1024, 512}))), 262144) << "two in a byte";
    EXPECT_EQ(types.bytes(types.add(array(ElementType::s4, {3}))), 2) << "12 bits take two bytes";
    EXPECT_EQ(types.bytes(types.add(array(ElementType::s2, {8}))), 2);
    EXPECT_EQ(types.bytes(types.add(array(ElementType::f4e2m1fn, {8}))), 4);
    EXPECT_EQ(types.bytes(types.add(array(ElementType::pred, {8}))), 8) << "a byte each";
    EXPECT_EQ(types.bytes(types.add(array(ElementType::unknown, {8}))), 0);
}

TEST(TypeTable, CountsNothingWhereASizeIsUnknown) {
    TypeTable types;
    const TypeId open = types.add(array(ElementType::f32, {4, unknown_size}));
    EXPECT_EQ(types.bytes(open), 0);
    EXPECT_EQ(types.text(open), "f32[4,?]");
    Type unranked = array(ElementType::f32, {});
    unranked.ranked = false;
    EXPECT_EQ(types.elements(types.add(unranked)), 0);
}

TEST(TypeTable, CountsTheLeavesOfTuples) {
    TypeTable types;
    const TypeId scalar = types.add({});
    Type pair;
    pair.kind = Type::Kind::tuple;
    pair.members = {scalar, scalar};
    const TypeId inner = types.add(pair);
    pair.members = {inner, scalar, inner};
    EXPECT_EQ(types.leaves(scalar), 1U);
    EXPECT_EQ(types.leaves(types.add(pair)), 5U);
}

}  // namespace
}  // namespace dse::ir
