#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/template/one_line.hpp"

namespace dse::frontend {
namespace {

/// b 2, s 4, h 8; 10 experts (f), of which a token chooses 2 (k).
class Experts : public test::OneLine, public testing::Test {
  protected:
    Experts() {
        declare("x", {"b", "s", "h"});
        declare("scores", {"b", "s", "f"});
        declare("w", {"b", "s", "k"}, TensorRole::computed, Storage::full);
        declare("act", {"f", "n", "2*h"});
    }
    TensorId last() const { return TensorId(tensors.size() - 1); }
};

TEST_F(Experts, TopKKeepsAllProbabilities) {
    const auto operation = read("w2 = top_k(scores, top=k)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(operation->whole, "e") << "a choice is among all experts";
    EXPECT_EQ(shape(operation->results[0].tensor), (std::vector<double>{2, 4, 2}));
    EXPECT_EQ(tensor(operation->results[0].tensor).storage, Storage::full);
    EXPECT_EQ(uses(operation->forward.reads), "scores");
    EXPECT_EQ(uses(operation->forward.writes), "w2 w2.probabilities");
    EXPECT_EQ(uses(operation->backward[0].reads), "d_w2 w2.probabilities");
    EXPECT_EQ(uses(operation->backward[0].writes), "d_scores");
}

/// 8 tokens choose 2 of 10 experts: 1.6 rows an expert, and no whole number is needed.
TEST_F(Experts, DispatchCopiesTokensByExpert) {
    const auto operation = read("r = dispatch(x, w, experts=f)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(shape(operation->results[0].tensor), (std::vector<double>{10, 1.6, 8}));
    EXPECT_EQ(operation->results[0].letters, "ech");
    ASSERT_TRUE(operation->refolding);
    EXPECT_EQ(operation->refolding->token, 's');
    EXPECT_EQ(operation->refolding->row, 'c');
    EXPECT_EQ(uses(operation->forward.reads), "w x");
    EXPECT_EQ(uses(operation->backward[0].reads), "w d_r") << "only the map is needed to go back";
    EXPECT_EQ(uses(operation->backward[0].writes), "d_x") << "no gradient goes to the choices";
}

TEST_F(Experts, WeightsGoWithTheirRows) {
    const auto operation = read("p = dispatch_weights(w, experts=f)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(shape(operation->results[0].tensor), (std::vector<double>{10, 1.6}));
    EXPECT_EQ(tensor(operation->results[0].tensor).storage, Storage::full);
    EXPECT_EQ(uses(operation->backward[0].writes), "d_w");
}

TEST_F(Experts, CombineGoesBackToTokens) {
    ASSERT_TRUE(read("r = dispatch(x, w, experts=f)")) << errors();
    const auto operation = read("y = combine(r, w)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(shape(operation->results[0].tensor), (std::vector<double>{2, 4, 8}));
    EXPECT_TRUE(operation->refolding);
    EXPECT_EQ(uses(operation->backward[0].reads), "w d_y") << "what experts made need not be kept";
    EXPECT_EQ(uses(operation->backward[0].writes), "d_r");
}

TEST_F(Experts, WeightedSwigluHalvesAndWeighs) {
    declare("p", {"f", "n"}, TensorRole::computed, Storage::full);
    const auto operation = read("y = weighted_swiglu(act, p, width=h)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(shape(operation->results[0].tensor), (std::vector<double>{10, 4, 8}));
    EXPECT_EQ(operation->results[0].letters, "ecF") << "split like its operand";
    EXPECT_EQ(uses(operation->backward[0].reads), "d_y act p");
    EXPECT_EQ(uses(operation->backward[0].writes), "d_act d_p");
}

/// Squared ReLU keeps the width of its operand.
TEST_F(Experts, SquaresAndWeighs) {
    declare("p", {"f", "n"}, TensorRole::computed, Storage::full);
    const auto operation = read("y = weighted_squared_relu(act, p)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(shape(operation->results[0].tensor), (std::vector<double>{10, 4, 16}));
    EXPECT_EQ(operation->results[0].letters, "ecf");
    EXPECT_EQ(uses(operation->forward.reads), "act p");
    EXPECT_EQ(operation->forward.eager_kernels, 3.0);
    EXPECT_EQ(operation->backward[0].eager_kernels, 7.0);
    EXPECT_EQ(uses(operation->backward[0].reads), "d_y act p");
    EXPECT_EQ(uses(operation->backward[0].writes), "d_act d_p");
}

/// Numbers per element that PyTorch's operators load and store, of 2 bytes each, two per cycle of a lane.
/// Clamps: read and write, then cat, is 4; for the gradient, of one half a comparison (2) and where (3), of
/// the other two comparisons (4), and (3), where (3), so 7.5 on average, and cat (2). Biases: b * p (1), +
/// (3), cat (2); for the gradients cat (2), product and sum (3) with p, and with b (3).
TEST_F(Experts, EagerClampsAndBiasesTakeACycleForSomeNumbers) {
    declare("p", {"f", "n"}, TensorRole::computed, Storage::full);
    auto operation = read("y = weighted_swiglu(act, p, width=h, clamped=true)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(operation->forward.reads.front().lane_cycles, 0.0) << "fused";
    stack.eager_expert_rate = 0.5;
    operation = read("z = weighted_swiglu(act, p, width=h)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(operation->forward.reads.front().lane_cycles, 0.0) << "nothing is clamped";
    operation = read("u = weighted_swiglu(act, p, width=h, clamped=true)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(operation->forward.reads.front().lane_cycles, 4.0);
    EXPECT_EQ(operation->forward.reads.front().passes, 1.0) << "of the fused kernel";
    EXPECT_EQ(operation->backward[0].writes.front().lane_cycles, 9.5);

    ASSERT_TRUE(read("r = dispatch(x, w, experts=f)")) << errors();
    operation = read("c = combine(r, w, biased=true)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(operation->forward.reads.back().lane_cycles, 6.0);
    EXPECT_EQ(operation->backward[0].writes.back().lane_cycles, 8.0);
    // Weights of 32 bits, whose numbers take as long as those of 16: b * p (1), + (3), cat (2), cast (2); for
    // the gradients cast (2), cat (1), product (2) and sums and products with p and b (3 each).
    stack.dispatcher = graph::Dispatcher::deduplicated;
    operation = read("v = combine(r, w, biased=true)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(operation->forward.reads.back().lane_cycles, 8.0);
    EXPECT_EQ(operation->backward[0].writes.back().lane_cycles, 11.0);
    mode = graph::Mode::decode;
    operation = read("t = combine(r, w, biased=true)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(operation->forward.reads.back().lane_cycles, 0.0) << "engines fuse them";
}

/// MaxText's rows cross the memory bus, in dispatch forward, to be copied (written) and sorted (read,
/// written); backward, to leave a second gradient (written), to be added (read twice, written), sorted back
/// (read, written) and summed (read). In combine they are sorted back (read, written) and summed (read);
/// backward, written for each choice, sorted (read, written) and read for the gradients of their weights.
TEST_F(Experts, CopiedRowsCrossTheBusForEachKernel) {
    stack.permutation = graph::Permutation::copied;
    auto operation = read("r = dispatch(x, w, experts=f)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(operation->forward.reads.back().passes, 1.0) << "tokens are copied once";
    EXPECT_EQ(operation->forward.writes.back().passes, 3.0);
    EXPECT_EQ(operation->backward[0].reads.back().passes, 7.0);
    operation = read("c = combine(r, w)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(operation->forward.reads.back().passes, 3.0);
    EXPECT_EQ(operation->backward[0].writes.back().passes, 4.0);
    stack.permutation_rate = 0.5;
    operation = read("d = combine(r, w)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(operation->forward.reads.back().passes, 6.0) << "as long as twice the bytes";
    EXPECT_EQ(operation->backward[0].writes.back().passes, 8.0);
    mode = graph::Mode::prefill;
    operation = read("d2 = combine(r, w)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(operation->forward.reads.back().passes, 1.0) << "engines have kernels of their own";
}

/// MaxText's dense_matmul: with B sequences of S tokens, E experts with C places in each and M features,
/// dispatch is BSM,BSEC -> EBCM, a product of 2 B S E C M, and so are combine, both their gradients and that
/// of combine's weights. Rows of all sequences are E times B C.
TEST_F(Experts, MaskedRowsAreProducts) {
    stack.permutation = graph::Permutation::masked;
    const auto expect_product = [&](const Piece& piece) {
        ASSERT_EQ(piece.gemm.m.size(), 2U);
        EXPECT_EQ(piece.gemm.m[0].letter, 'e');
        EXPECT_EQ(piece.gemm.m[1].letter, 'c');
        EXPECT_EQ(piece.gemm.n.at(0).letter, 'h');
        EXPECT_EQ(piece.gemm.k.at(0).letter, 's');
        EXPECT_EQ(piece.executed_factor, 1.0);
        EXPECT_EQ(piece.model_factor, 0.0);
    };
    auto operation = read("r = dispatch(x, w, experts=f)");
    ASSERT_TRUE(operation) << errors();
    expect_product(operation->forward);
    ASSERT_EQ(operation->backward.size(), 1U);
    expect_product(operation->backward[0]);
    operation = read("c = combine(r, w)");
    ASSERT_TRUE(operation) << errors();
    expect_product(operation->forward);
    ASSERT_EQ(operation->backward.size(), 2U);
    for (const Piece& piece : operation->backward) expect_product(piece);
    mode = graph::Mode::prefill;
    operation = read("d = combine(r, w)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_TRUE(operation->forward.gemm.empty()) << "engines have kernels of their own";
}

/// Megatron-Core's unfused permutations, half a number in a cycle, so that a number of an element of two
/// bytes takes a cycle per byte. index_select reads an index and a number and writes one, scatter_add and
/// index_add read what they add to, too: 3 and 4 in dispatch, 4 and, by a gather, 3 in combine. A
/// product with weights before the latter adds 3, and two products and a sum for its gradients 3 + 3 + 1. The
/// all-gather dispatcher gathers twice (6), and adds twice for the gradients (8); it scatters, weights and
/// adds (3 + 3 + 4), and for the gradients gathers, multiplies by weights and by results, sums the latter and
/// gathers (3 + 3 + 3 + 1 + 3).
TEST_F(Experts, PyTorchsPermutationsHandleTheirNumbersOneByOne) {
    struct Case {
        graph::Permutation permutation;
        double dispatched, dispatched_back, combined, combined_back;
        bool kept;
    };
    stack.eager_expert_rate = 0.5;
    int number = 0;
    for (const Case& c : {Case{graph::Permutation::fused, 0, 0, 0, 0, false},
                          Case{graph::Permutation::indexed, 3, 4, 4, 3, false},
                          Case{graph::Permutation::weighted, 3, 4, 7, 10, true},
                          Case{graph::Permutation::gathered, 6, 8, 10, 13, true}}) {
        stack.permutation = c.permutation;
        const std::string rows = fmt::format("r{}", ++number);
        auto operation = read(fmt::format("{} = dispatch(x, w, experts=f)", rows));
        ASSERT_TRUE(operation) << errors();
        EXPECT_EQ(operation->forward.writes.back().lane_cycles, c.dispatched);
        EXPECT_EQ(operation->backward[0].reads.back().lane_cycles, c.dispatched_back);
        EXPECT_EQ(operation->forward.writes.back().of_group, c.permutation == graph::Permutation::gathered);
        operation = read(fmt::format("c{} = combine({}, w)", number, rows));
        ASSERT_TRUE(operation) << errors();
        EXPECT_EQ(operation->forward.reads.back().lane_cycles, c.combined);
        EXPECT_EQ(operation->backward[0].writes.back().lane_cycles, c.combined_back);
        EXPECT_EQ(operation->forward.reads.back().passes, 1.0)
            << "instructions limit these kernels, not bytes";
        EXPECT_EQ(uses(operation->backward[0].reads),
                  c.kept ? "w d_c" + rows.substr(1) + " " + rows : "w d_c" + rows.substr(1))
            << "weights behind the experts need their results for the gradients";
    }
    mode = graph::Mode::prefill;
    const auto operation = read("e = combine(r1, w)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(operation->forward.reads.back().lane_cycles, 0.0) << "engines have kernels of their own";
}

TEST_F(Experts, SayWhatIsWrong) {
    EXPECT_FALSE(read("a = top_k(scores, top=12)"));
    EXPECT_NE(errors().find("top_k: the largest 12 of only 10"), std::string::npos) << errors();
    EXPECT_FALSE(read("a = dispatch(x, w, experts=1)"));
    EXPECT_NE(errors().find("dispatch: 'w' has 2 choices per token, but there are 1 experts"),
              std::string::npos)
        << errors();
    EXPECT_FALSE(read("a = combine(act, w)"));
    EXPECT_NE(errors().find("combine: 'act' does not contain rows of experts (dispatch creates them)"),
              std::string::npos)
        << errors();
    ASSERT_TRUE(read("r = dispatch(x, w, experts=f)")) << errors();
    declare("other", {"b", "s", "n"}, TensorRole::computed, Storage::full);
    EXPECT_FALSE(read("a = combine(r, other)"));
    EXPECT_NE(errors().find("combine: the number of choices is n = 4, but k = 2 is needed"),
              std::string::npos)
        << errors();
    EXPECT_FALSE(read("a = dispatch(x, w)"));
    EXPECT_NE(errors().find("dispatch: needs the option 'experts'"), std::string::npos) << errors();
    declare("p", {"f", "n"}, TensorRole::computed, Storage::full);
    EXPECT_FALSE(read("a = weighted_swiglu(act, p, width=n)"));
    EXPECT_NE(errors().find("weighted_swiglu: width 4 is not half of the last dimension, 16"),
              std::string::npos)
        << errors();
}

TEST(ExpertsInInference, DecodeSharesSequencesOut) {
    for (const auto& [mode, token] :
         {std::pair{graph::Mode::training, 's'}, {graph::Mode::prefill, 's'}, {graph::Mode::decode, 'b'}}) {
        test::OneLine line;
        line.mode = mode;
        line.declare("x", {"b", "s", "h"});
        line.declare("w", {"b", "s", "k"}, TensorRole::computed, Storage::full);
        const auto rows = line.read("r = dispatch(x, w, experts=n)");
        ASSERT_TRUE(rows && rows->refolding) << line.errors();
        EXPECT_EQ(rows->refolding->token, token);
        EXPECT_EQ(rows->forward.kernels, mode == graph::Mode::training ? 1 : 3) << "choices are sorted";
    }
}

}  // namespace
}  // namespace dse::frontend
