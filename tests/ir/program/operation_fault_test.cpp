#include "ir/program/operation_fault.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "dse/ir/program/program_builder.hpp"

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
              "it takes at least 3 operands, but has 2");
    EXPECT_EQ(arrays.fault_of(Opcode::while_loop, {arrays.a}, {}), "it takes 2 computations, but has 0");
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

// f32[4,8] by a kernel f32[8,2]: no spatial dimension.
ConvolutionDimensions rows() {
    ConvolutionDimensions labels;
    labels.input_feature = labels.kernel_output_feature = labels.output_feature = 1;
    return labels;
}

TEST(OperationFault, WindowsMove) {
    Arrays arrays;
    EXPECT_EQ(arrays.fault_of(Opcode::convolution, {arrays.a, arrays.b}, rows()), "");
    const ValueId signal = arrays.builder.argument(arrays.main, arrays.array({4, 9, 8}));
    const ValueId kernel = arrays.builder.argument(arrays.main, arrays.array({8, 3, 2}));
    ConvolutionDimensions along = rows();
    along.input_feature = along.kernel_output_feature = along.output_feature = 2;
    along.input_spatial = along.kernel_spatial = along.output_spatial = {1};
    along.window = {{.size = 3}};
    EXPECT_EQ(arrays.fault_of(Opcode::convolution, {signal, kernel}, along), "");
    along.window[0].stride = 0;
    EXPECT_EQ(arrays.fault_of(Opcode::convolution, {signal, kernel}, along),
              "strides and dilations of a window must be at least 1");
    along.window[0].stride = 1;
    along.feature_groups = 0;
    EXPECT_EQ(arrays.fault_of(Opcode::convolution, {signal, kernel}, along),
              "the number of groups must be at least 1");
}

TEST(OperationFault, TuplesHaveTheElementsThatAreAskedFor) {
    Arrays arrays;
    EXPECT_EQ(arrays.fault_of(Opcode::get_tuple_element, {arrays.both}, Index{1}), "");
    EXPECT_EQ(arrays.fault_of(Opcode::get_tuple_element, {arrays.both}, Index{2}),
              "(f32[4,8], f32[8,2]) has no element 2");
    EXPECT_EQ(arrays.fault_of(Opcode::get_tuple_element, {arrays.a}, Index{0}), "f32[4,8] has no element 0");
    EXPECT_EQ(arrays.fault_of(Opcode::tuple, {arrays.a, arrays.b}, {}, {arrays.pair_type}), "");
    EXPECT_EQ(arrays.fault_of(Opcode::tuple, {arrays.a}, {}, {arrays.pair_type}),
              "(f32[4,8], f32[8,2]) is not a tuple of 1 elements");
}

TEST(OperationFault, ConvolutionsFitTheirRank) {
    Arrays arrays;
    ConvolutionDimensions one_dimension = rows();
    one_dimension.input_spatial = {1};
    EXPECT_NE(arrays.fault_of(Opcode::convolution, {arrays.a, arrays.b}, one_dimension), "");
    EXPECT_NE(arrays.fault_of(Opcode::convolution, {arrays.a, arrays.b}, ConvolutionDimensions{}), "")
        << "batch and feature are one dimension";
    EXPECT_EQ(arrays.fault_of(Opcode::convolution, {arrays.a, arrays.b}, rows()), "");
}

// Each family of operators has its check; what they say is held in tests/ir/faults.
TEST(OperationFault, EveryFamilyIsLookedAt) {
    Arrays arrays;
    const std::vector<TypeId> wrong{arrays.array({7})};
    const auto refuses = [&](Opcode opcode, const std::vector<ValueId>& operands,
                             const Attribute& attribute) {
        return !arrays.fault_of(opcode, operands, attribute, wrong).empty();
    };
    for (const Opcode opcode : {Opcode::negate, Opcode::exponential, Opcode::convert, Opcode::reshape,
                                Opcode::copy, Opcode::reverse, Opcode::sort, Opcode::optimization_barrier})
        EXPECT_TRUE(refuses(opcode, {arrays.a}, {})) << name(opcode);
    EXPECT_TRUE(refuses(Opcode::broadcast, {arrays.a}, Dimensions{{0, 1}}));
    EXPECT_TRUE(refuses(Opcode::transpose, {arrays.a}, Dimensions{{1, 0}}));
    EXPECT_TRUE(refuses(Opcode::concatenate, {arrays.a, arrays.a}, Dimensions{{0}}));
    EXPECT_TRUE(refuses(Opcode::reduce, {arrays.a, arrays.a}, Dimensions{{0}}));
    EXPECT_TRUE(refuses(Opcode::dot, {arrays.a, arrays.b}, DotDimensions{{}, {}, {1}, {0}}));
    EXPECT_TRUE(refuses(Opcode::all_reduce, {arrays.a}, Communication{}));
    EXPECT_FALSE(refuses(Opcode::custom_call, {arrays.a}, ForeignCall{}));
}

}  // namespace
}  // namespace dse::ir
