#include "ir/program/faults/shape_subject.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace dse::ir::faults {
namespace {

Type array(Sizes sizes, ElementType element = ElementType::f32) {
    Type type;
    type.element = element;
    type.sizes = std::move(sizes);
    return type;
}

Type dynamic(Sizes sizes) {
    Type type = array(std::move(sizes));
    type.dynamic = true;
    return type;
}

TEST(ShapeSubject, SameShapes) {
    EXPECT_TRUE(same_shape(array({2, 3}), array({2, 3}, ElementType::s8)));
    EXPECT_FALSE(same_shape(array({2, 3}), array({3, 2})));
    EXPECT_FALSE(same_shape(array({2}), array({2, 1})));
    EXPECT_TRUE(same_shape(array({2, 3}), dynamic({unknown_size, 3})));
    EXPECT_TRUE(same_shape(array({2, 3}), dynamic({4, 3}))) << "4 is a bound";
    EXPECT_FALSE(same_shape(array({2, 3}), dynamic({unknown_size})));
    Type opaque;
    opaque.kind = Type::Kind::opaque;
    EXPECT_TRUE(same_shape(array({2, 3}), opaque));
    Type token;
    token.kind = Type::Kind::token;
    EXPECT_FALSE(same_shape(array({}), token));
    Type unranked;
    unranked.ranked = false;
    EXPECT_TRUE(same_shape(unranked, array({2, 3})));
}

TEST(ShapeSubject, SameTypes) {
    TypeTable types;
    const auto tuple = [&](std::vector<TypeId> members) {
        Type type;
        type.kind = Type::Kind::tuple;
        type.members = std::move(members);
        return types.add(type);
    };
    const TypeId plain = types.add(array({2, 3}));
    Type turned = array({2, 3});
    turned.minor_to_major = {0, 1};
    const TypeId laid_out = types.add(turned);
    EXPECT_TRUE(same_type(types, plain, laid_out));
    EXPECT_FALSE(same_type(types, plain, types.add(array({2, 3}, ElementType::bf16))));
    EXPECT_TRUE(same_type(types, plain, types.add(array({2, 3}, ElementType::unknown))));
    EXPECT_TRUE(same_type(types, tuple({plain, plain}), tuple({laid_out, plain})));
    EXPECT_FALSE(same_type(types, tuple({plain, plain}), tuple({plain})));
    EXPECT_FALSE(same_type(types, tuple({plain}), plain));
}

TEST(ShapeSubject, NamesWhatDiffers) {
    TypeTable types;
    const TypeId two = types.add(array({2}));
    const TypeId three = types.add(array({3}));
    const auto tuple = [&](std::vector<TypeId> members) {
        Type type;
        type.kind = Type::Kind::tuple;
        type.members = std::move(members);
        return types.add(type);
    };
    using Texts = std::pair<std::string, std::string>;
    EXPECT_EQ(unlike_texts(types, two, three), (Texts{"f32[2]", "f32[3]"}));
    EXPECT_EQ(unlike_texts(types, tuple({two, two}), tuple({two, three})),
              (Texts{"f32[2] (element 1)", "f32[3]"}));
    EXPECT_EQ(unlike_texts(types, tuple({two, two}), tuple({two})), (Texts{"(f32[2], f32[2])", "(f32[2])"}));
}

TEST(ShapeSubject, DimensionsAreInRangeAndDifferent) {
    EXPECT_TRUE(are_dimensions(Sizes{}, 0));
    EXPECT_TRUE(are_dimensions(Sizes{2, 0}, 3));
    EXPECT_FALSE(are_dimensions(Sizes{3}, 3));
    EXPECT_FALSE(are_dimensions(Sizes{-1}, 3));
    EXPECT_FALSE(are_dimensions(Sizes{1, 1}, 3));
    EXPECT_TRUE(are_dimensions(Sizes{1, 65}, 66));
    EXPECT_FALSE(are_dimensions(Sizes{65, 65}, 66));
    EXPECT_EQ(listed(Sizes{0, 2}), "{0,2}");
}

TEST(ShapeSubject, TakesTuplesOfResultsApart) {
    Program program;
    const TypeId f = program.types.add(array({4}));
    Type pair;
    pair.kind = Type::Kind::tuple;
    pair.members = {f, f};
    const std::vector<TypeId> one{program.types.add(pair)};
    const std::vector<TypeId> two{f, f};
    const Attribute nothing;
    const StatedOperation of_hlo{Opcode::sort, {}, one, {}, nothing};
    EXPECT_EQ(ShapeSubject(of_hlo, program).results(), 2U);
    const StatedOperation of_mlir{Opcode::sort, {}, two, {}, nothing};
    EXPECT_EQ(ShapeSubject(of_mlir, program).result_id(1), f);
    const StatedOperation unstated{Opcode::sort, {}, {}, {}, nothing};
    EXPECT_EQ(ShapeSubject(unstated, program).sized_result(), nullptr);
    EXPECT_EQ(ShapeSubject(of_hlo, program).sized_operand(0), nullptr);
    EXPECT_EQ(unlike_result(ShapeSubject(of_hlo, program), {4}).value_or(""), "");
    EXPECT_EQ(unlike_result(ShapeSubject(of_hlo, program), {5}).value_or(""),
              "its result is f32[4], but its operands make [5]");
}

}  // namespace
}  // namespace dse::ir::faults
