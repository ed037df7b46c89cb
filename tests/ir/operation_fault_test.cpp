#include "ir/operation_fault.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "dse/ir/program_builder.hpp"

namespace dse::ir {
namespace {

// Arrays a: f32[4,8], b: f32[8,2], and a pair of them.
struct Arrays {
    Program program;
    ProgramBuilder builder{program};
    ComputationId main{builder.computation("main")};
    TypeId a_type{array({4, 8})};
    TypeId b_type{array({8, 2})};
    TypeId pair_type{pair()};
    ValueId a{builder.argument(main, a_type)};
    ValueId b{builder.argument(main, b_type)};
    ValueId both{builder.argument(main, pair_type)};

    TypeId array(std::vector<std::int64_t> sizes) {
        Type type;
        type.element = ElementType::f32;
        type.sizes = std::move(sizes);
        return program.types.add(type);
    }
    TypeId pair() {
        Type type;
        type.kind = Type::Kind::tuple;
        type.members = {a_type, b_type};
        return program.types.add(type);
    }
    std::string fault_of(Opcode opcode, const std::vector<ValueId>& operands, const Attribute& attribute,
                         const std::vector<TypeId>& results = {}) {
        return fault({opcode, operands, results, {}, attribute}, program).value_or("");
    }
};

TEST(OperationFault, CountsOperandsAndComputations) {
    Arrays arrays;
    EXPECT_EQ(arrays.fault_of(Opcode::select, {arrays.a, arrays.b}, {}),
              "it takes 3 operands or more, and has 2");
    EXPECT_EQ(arrays.fault_of(Opcode::while_loop, {arrays.a}, {}), "it calls 2 computations, and names 0");
    EXPECT_EQ(arrays.fault_of(Opcode::add, {arrays.a, arrays.a}, {}), "");
}

TEST(OperationFault, ProductsContractEqualSizes) {
    Arrays arrays;
    EXPECT_EQ(arrays.fault_of(Opcode::dot, {arrays.a, arrays.b}, DotDimensions{{}, {}, {1}, {0}}), "");
    EXPECT_EQ(arrays.fault_of(Opcode::dot, {arrays.a, arrays.b}, DotDimensions{{}, {}, {0}, {0}}),
              "the product contracts a dimension of 4 with one of 8");
    EXPECT_NE(arrays.fault_of(Opcode::dot, {arrays.a, arrays.b}, DotDimensions{{}, {}, {2}, {0}}), "");
    EXPECT_NE(arrays.fault_of(Opcode::dot, {arrays.a, arrays.b}, DotDimensions{{}, {}, {1}, {}}), "");
}

TEST(OperationFault, ProductsHaveEqualBatches) {
    Arrays arrays;
    EXPECT_EQ(arrays.fault_of(Opcode::dot, {arrays.a, arrays.b}, DotDimensions{{1}, {0}, {}, {}}), "");
    EXPECT_EQ(arrays.fault_of(Opcode::dot, {arrays.a, arrays.b}, DotDimensions{{0}, {1}, {1}, {0}}),
              "the product has batches of 4 and of 2");
    EXPECT_EQ(arrays.fault_of(Opcode::dot, {arrays.a, arrays.b}, DotDimensions{{0}, {}, {1}, {0}}),
              "the product has different numbers of batch dimensions of its operands");
}

TEST(OperationFault, WindowsMove) {
    Arrays arrays;
    ConvolutionDimensions rows;  // f32[4,8] by a kernel f32[8,2]: no spatial dimension
    EXPECT_EQ(arrays.fault_of(Opcode::convolution, {arrays.a, arrays.b}, rows), "");
    const ValueId signal = arrays.builder.argument(arrays.main, arrays.array({4, 9, 8}));
    rows.input_spatial = rows.kernel_spatial = rows.output_spatial = {1};
    rows.window = {{.size = 3}};
    EXPECT_EQ(arrays.fault_of(Opcode::convolution, {signal, signal}, rows), "");
    rows.window[0].stride = 0;
    EXPECT_EQ(arrays.fault_of(Opcode::convolution, {signal, signal}, rows),
              "a window needs strides and dilations above 0");
    rows.window[0].stride = 1;
    rows.feature_groups = 0;
    EXPECT_EQ(arrays.fault_of(Opcode::convolution, {signal, signal}, rows),
              "a convolution has one group or more");
}

TEST(OperationFault, TuplesHaveTheElementsThatAreAskedFor) {
    Arrays arrays;
    EXPECT_EQ(arrays.fault_of(Opcode::get_tuple_element, {arrays.both}, Index{1}), "");
    EXPECT_EQ(arrays.fault_of(Opcode::get_tuple_element, {arrays.both}, Index{2}),
              "(f32[4,8], f32[8,2]) has no element 2");
    EXPECT_EQ(arrays.fault_of(Opcode::get_tuple_element, {arrays.a}, Index{0}), "f32[4,8] has no element 0");
    EXPECT_EQ(arrays.fault_of(Opcode::tuple, {arrays.a, arrays.b}, {}, {arrays.pair_type}), "");
    EXPECT_EQ(arrays.fault_of(Opcode::tuple, {arrays.a}, {}, {arrays.pair_type}),
              "(f32[4,8], f32[8,2]) is no tuple of 1 elements");
}

TEST(OperationFault, ConvolutionsFitTheirRank) {
    Arrays arrays;
    ConvolutionDimensions one_dimension;
    one_dimension.input_spatial = {1};
    EXPECT_NE(arrays.fault_of(Opcode::convolution, {arrays.a, arrays.b}, one_dimension), "");
    EXPECT_EQ(arrays.fault_of(Opcode::convolution, {arrays.a, arrays.b}, ConvolutionDimensions{}), "");
}

}  // namespace
}  // namespace dse::ir
