#include <gtest/gtest.h>

#include "frontend/template/one_line.hpp"

namespace dse::frontend {
namespace {

using test::OneLine;

OneLine two_tensors() {
    OneLine line;
    line.declare("x", {"b", "s", "h"});
    line.declare("z", {"b", "s", "h"});
    return line;
}

TEST(Pointwise, AdditionPassesItsGradientOn) {
    OneLine line = two_tensors();
    const auto operation = line.read("y = add(x, z)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.uses(operation->forward.reads), "x z");
    EXPECT_TRUE(operation->backward.empty()) << "no kernel, and nothing that it would have to keep";
    EXPECT_EQ(operation->passes_gradient, (std::vector<std::size_t>{0, 1}));
    EXPECT_FALSE(operation->is_loss());
}

/// x + c z: its gradient passes to x as it is, and to z through a kernel.
TEST(Pointwise, ScaledAdditionScalesOneGradient) {
    OneLine line = two_tensors();
    const auto operation = line.read("y = scaled_add(x, z)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.uses(operation->forward.reads), "x z");
    EXPECT_EQ(operation->forward.kernels, 1.0);
    EXPECT_EQ(operation->passes_gradient, (std::vector<std::size_t>{0}));
    ASSERT_EQ(operation->backward.size(), 1U);
    EXPECT_EQ(line.uses(operation->backward[0].reads), "d_y");
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_z");
}

/// What is copied between zeros stays, where no compiler works.
TEST(Pointwise, ScaledAdditionMayKeepWhatIsCopied) {
    OneLine line = two_tensors();
    const auto compiled = line.read("y = scaled_add(x, z, copied=f)");
    line.stack.compiled = false;
    const auto eager = line.read("u = scaled_add(x, z, copied=f)");
    ASSERT_TRUE(compiled && eager) << line.errors();
    EXPECT_EQ(line.uses(compiled->backward[0].reads), "d_y");
    EXPECT_EQ(line.uses(eager->backward[0].reads), "d_u u.copied*0");
    EXPECT_EQ(line.shape(eager->results[1].tensor), (std::vector<double>{2, 4, 10}));
}

TEST(Pointwise, AnAdaptersDropoutLeavesItsGradientToTheProduct) {
    OneLine line = two_tensors();
    const auto operation = line.read("y = adapter_dropout(\"gathered\", x)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.uses(operation->forward.writes), "y y.mask");
    EXPECT_TRUE(operation->backward.empty());
    EXPECT_EQ(operation->whole, "b") << "the second dimension, the sequence";
    EXPECT_EQ(operation->context_split, "b");
}

TEST(Pointwise, DropoutKeepsAMaskOfBytes) {
    OneLine line = two_tensors();
    const auto operation = line.read("y = dropout(x)");
    ASSERT_TRUE(operation) << line.errors();
    ASSERT_EQ(operation->results.size(), 2U);
    EXPECT_EQ(line.tensor(operation->results[1].tensor).name, "y.mask");
    EXPECT_EQ(line.tensor(operation->results[1].tensor).storage, Storage::mask);
    EXPECT_EQ(line.uses(operation->backward[0].reads), "d_y y.mask");
}

TEST(Pointwise, DropoutAddIsBothInOneKernel) {
    OneLine line = two_tensors();
    const auto operation = line.read("y = dropout_add(z, x)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.uses(operation->forward.writes), "y y.mask");
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_z");
    EXPECT_EQ(operation->passes_gradient, (std::vector<std::size_t>{1}));
}

TEST(Pointwise, GeluReadsItsInputAgainAndRotaryNothing) {
    OneLine line = two_tensors();
    const auto gelu = line.read("g = gelu(x)");
    const auto rotary = line.read("r = rotary(x)");
    ASSERT_TRUE(gelu && rotary) << line.errors();
    EXPECT_EQ(line.uses(gelu->backward[0].reads), "d_g x");
    EXPECT_EQ(line.uses(rotary->backward[0].reads), "d_r");
}

TEST(Pointwise, SwigluHalvesTheLastDimension) {
    OneLine line;
    line.declare("x", {"b", "s", "2*f"});
    const auto operation = line.read("y = swiglu(x, width=f)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 4, 10}));
    EXPECT_EQ(operation->operands[0].letters, "abc");
    EXPECT_EQ(operation->results[0].letters, "abC") << "split alike, of another extent";
    EXPECT_EQ(line.uses(operation->backward[0].reads), "d_y x");
}

/// Operator by operator, autograd keeps silu(gate) for the gradient of up.
TEST(Pointwise, SwigluOperatorByOperatorKeepsSilu) {
    OneLine line;
    line.stack.compiled = false;
    line.declare("x", {"b", "s", "f"});
    line.declare("both", {"b", "s", "2*f"});
    const auto apart = line.read("y = swiglu(x, x)");
    const auto halves = line.read("halved = swiglu(both, width=f)");
    ASSERT_TRUE(apart && halves) << line.errors();
    EXPECT_EQ(line.uses(apart->backward[0].reads), "d_y x x y.silu*0");
    EXPECT_EQ(line.uses(halves->backward[0].reads), "d_halved both halved.silu*0");
    EXPECT_EQ(line.shape(halves->results[1].tensor), (std::vector<double>{2, 4, 10}));
    line.mode = graph::Mode::prefill;
    const auto inference = line.read("z = swiglu(x, x)");
    ASSERT_TRUE(inference) << line.errors();
    EXPECT_EQ(inference->results.size(), 1U) << "nothing is kept";
}

/// silu 4 bytes an element and the product 6, of 6 in one kernel; three gradients of 6, of 10 in one kernel,
/// and 8 more where the gradients of two halves are joined.
TEST(Pointwise, SwigluOperatorByOperatorIsCountedInBytes) {
    OneLine line = two_tensors();
    line.declare("both", {"b", "s", "2*f"});
    const auto apart = line.read("y = swiglu(x, x)");
    const auto halves = line.read("halved = swiglu(both, width=f)");
    ASSERT_TRUE(apart && halves) << line.errors();
    EXPECT_DOUBLE_EQ(apart->forward.eager_passes, 10.0 / 6.0);
    EXPECT_DOUBLE_EQ(apart->backward[0].eager_passes, 1.8);
    EXPECT_DOUBLE_EQ(halves->backward[0].eager_passes, 2.6);
}

TEST(Pointwise, RotaryMayBeAKernelOfItsOwn) {
    OneLine line = two_tensors();
    const auto operators = line.read("r = rotary(x)");
    const auto fused = line.read("q = rotary(x, fused=true)");
    ASSERT_TRUE(operators && fused) << line.errors();
    EXPECT_EQ(operators->forward.eager_kernels, 6);
    EXPECT_EQ(fused->forward.eager_kernels, 1);
    EXPECT_EQ(fused->backward[0].eager_kernels, 1);
}

// Cast 2 + 4 bytes per element, products 4 + 8, sums 8 + 4, cast back 4 + 2: 36 bytes, 9 times the 4 of one
// kernel.
TEST(Pointwise, RotaryByMatricesMovesProductsOf32Bits) {
    OneLine line = two_tensors();
    const auto operators = line.read("r = rotary(x, matrices=true)");
    ASSERT_TRUE(operators) << line.errors();
    EXPECT_EQ(operators->forward.eager_kernels, 4);
    EXPECT_DOUBLE_EQ(operators->forward.eager_passes, 9.0);
    EXPECT_EQ(operators->backward[0].eager_kernels, 4);
    EXPECT_DOUBLE_EQ(operators->backward[0].eager_passes, 9.0);
}

TEST(Pointwise, RotaryIsEitherOneKernelOrByMatrices) {
    OneLine line = two_tensors();
    EXPECT_FALSE(line.read("r = rotary(x, fused=true, matrices=true)"));
    EXPECT_NE(line.errors().find("'fused' and 'matrices' exclude each other"), std::string::npos);
}

TEST(Pointwise, ACopyMovesItsTensorAndItsGradient) {
    OneLine line = two_tensors();
    const auto copy = line.read("y = copy(x)");
    ASSERT_TRUE(copy) << line.errors();
    EXPECT_EQ(line.uses(copy->forward.reads), "x");
    EXPECT_EQ(line.uses(copy->backward[0].reads), "d_y");
    EXPECT_EQ(line.uses(copy->backward[0].writes), "d_x");
    EXPECT_FALSE(copy->view);
}

TEST(Pointwise, ReluKeepsItsResultAndNotItsInput) {
    OneLine line = two_tensors();
    const auto operation = line.read("y = relu(x)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.uses(operation->forward.reads), "x");
    EXPECT_EQ(line.uses(operation->backward[0].reads), "d_y y");
}

/// Bytes that a piece moves, in passes over one tensor.
double passes(const frontend::Piece& piece) {
    double sum = 0;
    for (const frontend::Use& use : piece.reads) sum += use.passes;
    for (const frontend::Use& use : piece.writes) sum += use.passes;
    return sum;
}

TEST(Pointwise, SquaredReluIsOneKernelUnlessTheFrameworkRunsItOperatorByOperator) {
    OneLine line = two_tensors();
    const auto compiled = line.read("y = squared_relu(x)");
    ASSERT_TRUE(compiled) << line.errors();
    EXPECT_EQ(passes(compiled->forward), 2);
    EXPECT_EQ(line.uses(compiled->backward[0].reads), "d_y x");
    EXPECT_EQ(passes(compiled->backward[0]), 3);

    // Forward: relu (read, write), square (read, write). Backward: the first power of max(x, 0) (read,
    // write), times two (read, write), times the gradient (two reads, write), mask (two reads, write).
    line.stack.eager_squared_relu = true;
    const auto eager = line.read("z2 = squared_relu(x)");
    ASSERT_TRUE(eager) << line.errors();
    EXPECT_EQ(passes(eager->forward), 4);
    EXPECT_EQ(eager->forward.kernels, 2);
    EXPECT_EQ(passes(eager->backward[0]), 10);
    EXPECT_EQ(eager->backward[0].kernels, 4);
}

TEST(Pointwise, BiasIsPartOfTheKernelThatWritesItsOperand) {
    OneLine line = two_tensors();
    line.parameter("c", {"h"});
    line.parameter("positions", {"s", "h"});
    for (const auto& [text, letters] :
         {std::pair{"y = bias(x, c)", "c"}, {"y2 = bias(x, positions)", "bc"}}) {
        const auto operation = line.read(text);
        ASSERT_TRUE(operation) << line.errors();
        EXPECT_EQ(operation->operands[1].letters, letters) << "the last dimensions";
        EXPECT_EQ(operation->forward.kernels + operation->forward.eager_kernels, 0.0);
        EXPECT_TRUE(operation->linear && operation->in_place);
        EXPECT_EQ(operation->forward.reads[0].passes + operation->forward.writes[0].passes, 0.0);
        EXPECT_EQ(operation->passes_gradient, (std::vector<std::size_t>{0}));
        ASSERT_EQ(operation->backward.size(), 1U);
        EXPECT_TRUE(operation->backward[0].weight_gradient);
        EXPECT_FALSE(operation->is_loss());
    }
    line.parameter("square", {"h", "h"});
    line.parameter("cube", {"h", "b", "s", "h"});
    EXPECT_FALSE(line.read("y3 = bias(x, square)"));
    EXPECT_NE(line.errors().find("'square' is h = 8, but s = 4 is needed"), std::string::npos)
        << line.errors();
    EXPECT_FALSE(line.read("y4 = bias(x, cube)"));
    EXPECT_NE(line.errors().find("'cube' has 4 dimensions, 'x' 3"), std::string::npos) << line.errors();
}

TEST(Pointwise, RefusesShapesThatDiffer) {
    OneLine line = two_tensors();
    line.declare("u", {"b", "s", "f"});
    EXPECT_FALSE(line.read("y = add(x, u)"));
    EXPECT_NE(line.errors().find("'u' is f = 10, but h = 8 is needed"), std::string::npos) << line.errors();
    OneLine ranks = two_tensors();
    ranks.declare("u", {"b", "s"});
    EXPECT_FALSE(ranks.read("y = dropout_add(x, u)"));
    EXPECT_NE(ranks.errors().find("different numbers of dimensions"), std::string::npos) << ranks.errors();
    OneLine half = two_tensors();
    EXPECT_FALSE(half.read("y = swiglu(x, width=h)"));
    EXPECT_NE(half.errors().find("width 8 is not half of the last dimension, 8"), std::string::npos);
}

TEST(Pointwise, InferenceDropsNothing) {
    OneLine line = two_tensors();
    line.mode = graph::Mode::prefill;
    EXPECT_FALSE(line.read("y = dropout(x)")) << "a name, and no kernel";
    EXPECT_EQ(line.errors(), "");
    ASSERT_EQ(line.views.size(), 1U);
    EXPECT_EQ(line.tensor(line.views[0].results[0].tensor).name, "y");
}

}  // namespace
}  // namespace dse::frontend
