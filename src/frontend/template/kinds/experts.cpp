#include <fmt/format.h>

#include "kinds.hpp"

/// Mixture of experts: a router chooses experts for each token; tokens are sent to them and back.
namespace dse::frontend::kinds {
namespace {

/// Rows gathered or scattered by the routing map.
Piece permutation(TensorId routing, Use from, Use to) {
    return kernel(graph::OpClass::embedding, {{routing}, from}, {to}, 3);
}

/// Tokens are divided along the sequence; in decode, where each sequence has only one, by sequences.
Operation::Refolding refolding(const OperationBuilder& builder) {
    return {builder.mode() == graph::Mode::decode ? 'b' : 's', 'c'};
}

/// The rows per expert for all tokens of `routing` [b, s, k]. \returns dimensions of experts and rows
std::vector<DimId> rows_by_expert(OperationBuilder& builder, std::size_t routing) {
    const DimId experts = builder.option("experts");
    if (builder.failed()) return {};
    const std::vector<DimId>& shape = builder.tensor(routing).shape;
    if (builder.extent(shape[2]) > builder.extent(experts)) {
        builder.fail(fmt::format("'{}' has {} choices per token, but there are {} experts",
                                 builder.tensor(routing).name, builder.extent(shape[2]),
                                 builder.extent(experts)));
        return {};
    }
    const std::vector<DimId> tokens{shape[0], shape[1]};
    return {experts, builder.rows(tokens, {shape[2], experts})};
}

/// Numbers that the operators which PyTorch runs one by one load and store per element, with all intermediate
/// results (Megatron-LM, core/transformer/moe/experts.py and core/fusions/fused_bias_geglu.py, November 2025
/// to April 2026). Operands are strided or broadcast, so that these kernels load one number after the other
/// and compute the place of each: one of 8 or 32 bits takes no less than one of 16.
struct EagerNumbers {
    double forward{0.0};
    double backward{0.0};
};

/// clamp of both halves and cat; for the gradient of one half a comparison and where, of the other, which is
/// clamped on both sides, two comparisons, and, where; cat of both.
constexpr EagerNumbers clamps{2 + 2, (2 + 3 + 2 + 2 + 3 + 3) / 2.0 + 2};

/// Per row t + b * p, with weights p of 16 bits, and cat; for the gradients, cat, products with p and b and
/// their sums.
constexpr EagerNumbers biases{1 + 3 + 2, 2 + 3 + 3};

/// The same with weights of 32 bits, as the kernels of deduplicated dispatchers require (DeepEP, HybridEP),
/// and with a cast back to 16: b * p, +, cat, cast; cast, cat (1 read), products and sums.
constexpr EagerNumbers wide_biases{1 + 3 + 2 + 2, 2 + 1 + 2 + 3 + 3};

/// Cycles of a lane per byte of rows of 16 bits if eager kernels handle `numbers` per element; 0: fused.
double eager_cycles(const OperationBuilder& builder, double numbers) {
    const double rate = builder.stack().eager_expert_rate;
    return rate > 0.0 && !is_inference(builder.mode()) ? numbers / 2.0 / rate : 0.0;
}

/// How often experts' rows cross the memory bus if copies are sorted by kernels of their own (MaxText,
/// layers/moe.py: permute, sparse_matmul and unpermute with use_custom_sort_vjp, e591f30).
struct RowPasses {
    double forward{1.0};
    double backward{1.0};
};

/// Kernels of a permutation, by implementation.
struct RowKernels {
    RowPasses copied;
    EagerNumbers indexed;   ///< per element of a row, with its index
    EagerNumbers gathered;  ///< likewise
    EagerNumbers weighted;  ///< likewise
};

/// Copies are written, read and written in the order of experts. Gate and up each leave a gradient: another
/// is written, both are read and their sum is written; it is sorted back and read for the sum over choices.
/// Megatron-Core: index_select, and index_add for the gradient, which reads what it adds to (moe_utils.py,
/// permute, d98e8a6); twice gather, and scatter_add for each gradient (token_dispatcher.py, core_v0.6.0).
constexpr RowKernels dispatching{{1 + 2, 3 + 1 + 2 + 1}, {3, 4}, {3 + 3, 4 + 4}, {3, 4}};

/// Results are sorted back, then read by the sum. Each gradient is written once for each choice and sorted;
/// the results are read again for the gradients of their weights.
/// Megatron-Core: scatter_add, and gather for the gradient (unpermute); in 2024 scatter, product with the
/// weights and scatter_add, for the gradients gather, both products, the sum of one, and gather. Until core
/// 0.12, a product with the weights comes before scatter_add, and two products and the sum of one behind
/// gather.
constexpr RowKernels combining{
    {2 + 1, 1 + 2 + 1}, {4, 3}, {3 + 3 + 4, 3 + 3 + 3 + 1 + 3}, {3 + 4, 3 + 3 + 3 + 1}};

/// Sets what the rows cost that a pass of dispatch or combine reads or writes.
void permute_rows(const OperationBuilder& builder, const RowKernels& kernels, Use& forward, Use& backward) {
    if (is_inference(builder.mode())) return;
    const auto eager = [&](const EagerNumbers& numbers) {
        forward.lane_cycles = eager_cycles(builder, numbers.forward);
        backward.lane_cycles = eager_cycles(builder, numbers.backward);
    };
    switch (builder.stack().permutation) {
        case graph::Permutation::fused:
        case graph::Permutation::masked:  // moves no rows by kernels of their own
            return;
        case graph::Permutation::copied:
            forward.passes = kernels.copied.forward / builder.stack().permutation_rate;
            backward.passes = kernels.copied.backward / builder.stack().permutation_rate;
            return;
        case graph::Permutation::indexed:
            return eager(kernels.indexed);
        case graph::Permutation::gathered:
            forward.of_group = backward.of_group = true;
            return eager(kernels.gathered);
        case graph::Permutation::weighted:
            return eager(kernels.weighted);
    }
}

/// Whether rows are brought to experts and back by products with masks.
bool is_masked(const OperationBuilder& builder) {
    return builder.stack().permutation == graph::Permutation::masked && !is_inference(builder.mode());
}

/// One of these products, over the tokens of a sequence or its places at all experts: places of all sequences
/// times tokens of one, since a sequence has no places at others' rows. The mask, or its gradient, crosses
/// the memory bus, with a byte for each of its elements, or two. Products that move rows are no model FLOPs.
/// \param shape    of the rows, [e, c, h]
/// \param routing  of which the mask is made
Piece mask_product(const OperationBuilder& builder, const std::vector<DimId>& shape, TensorId routing,
                   Use from, Use to, Storage mask) {
    const Factor token = builder.factor('s');
    const Factor expert{shape[0], 'e'};
    const Factor row{shape[1], 'c'};
    Piece piece = product({{}, {expert, row}, {{shape[2], 'h'}}, {token}}, 1.0, {from, {routing}}, to);
    piece.model_factor = 0.0;
    piece.traffic = {{{token, expert, row}, mask, 1.0}};
    return piece;
}

/// Whether rows are weighted behind the experts, so that the gradients of weights need the experts' results,
/// which are kept. Otherwise the experts' activation weighs them.
bool weighs_behind_experts(const OperationBuilder& builder) {
    const graph::Permutation kernels = builder.stack().permutation;
    return !is_inference(builder.mode()) &&
           (kernels == graph::Permutation::weighted || kernels == graph::Permutation::gathered);
}

}  // namespace

/// Probabilities over the experts, and the largest `top` of them for each token: weights in fp32 and the
/// routing map. Keeps all probabilities for its backward pass.
void top_k(OperationBuilder& builder) {
    if (!builder.expect_operands({3})) return;
    builder.letter(0, "bse");
    const DimId top = builder.option("top");
    if (builder.failed()) return;
    const std::vector<DimId> shape = builder.tensor(0).shape;
    if (builder.extent(top) > builder.extent(shape[2])) {
        return builder.fail(
            fmt::format("the largest {} of only {}", builder.extent(top), builder.extent(shape[2])));
    }
    const TensorId scores = builder.id(0);
    const TensorId weights = builder.add_result(0, {shape[0], shape[1], top}, "bsk", Storage::full);
    const TensorId probabilities = builder.add_saved("probabilities", shape, "bse", Storage::full);
    Operation& operation = builder.operation();
    operation.whole = "e";
    const auto op_class = graph::OpClass::softmax;
    operation.forward = kernel(op_class, {{scores}}, {{weights}, {probabilities}}, 4);
    operation.backward = {kernel(op_class, {{weights, true}, {probabilities}}, {{scores, true}}, 4)};
}

/// Copies of each token for the experts that it chose: [b, s, h] to [e, c, h].
void dispatch(OperationBuilder& builder) {
    if (!builder.expect_operands({3, 3})) return;
    builder.letter(0, "bsh");
    builder.letter(1, "bsk");
    if (!builder.check_letters()) return;
    std::vector<DimId> shape = rows_by_expert(builder, 1);
    if (builder.failed()) return;
    shape.push_back(builder.tensor(0).shape[2]);
    const TensorId x = builder.id(0);
    const TensorId routing = builder.id(1);
    const TensorId rows = builder.add_result(0, shape, "ech");
    Operation& operation = builder.operation();
    operation.whole = "hk";
    operation.refolding = refolding(builder);
    if (is_masked(builder)) {
        operation.forward = mask_product(builder, shape, routing, {x}, {rows}, Storage::mask);
        operation.backward = {mask_product(builder, shape, routing, {rows, true}, {x, true}, Storage::mask)};
        return;
    }
    operation.forward = permutation(routing, {x}, {rows});
    // Before that, choices are sorted by expert and counted (in AIConfigurator's tables of fused layers, the
    // minimum time is that of ten kernels).
    if (is_inference(builder.mode())) operation.forward.kernels = 3;
    operation.backward = {permutation(routing, {rows, true}, {x, true})};
    permute_rows(builder, dispatching, operation.forward.writes.back(),
                 operation.backward.front().reads.back());
}

/// The weights of choices, in the order of their rows: [b, s, k] to [e, c].
void dispatch_weights(OperationBuilder& builder) {
    if (!builder.expect_operands({3})) return;
    builder.letter(0, "bsk");
    std::vector<DimId> shape = rows_by_expert(builder, 0);
    if (builder.failed()) return;
    const Storage storage = builder.tensor(0).storage;
    const TensorId weights = builder.id(0);
    const TensorId rows = builder.add_result(0, std::move(shape), "ec", storage);
    Operation& operation = builder.operation();
    operation.whole = "k";
    operation.refolding = refolding(builder);
    operation.forward = kernel(graph::OpClass::embedding, {{weights}}, {{rows}}, 2);
    operation.backward = {kernel(graph::OpClass::embedding, {{rows, true}}, {{weights, true}}, 2)};
}

/// Sums the experts' results for each token: [e, c, h] back to [b, s, h]. `biased`: the results have a bias
/// per expert, times the rows' weights.
void combine(OperationBuilder& builder) {
    if (!builder.expect_operands({3, 3})) return;
    builder.letter(0, "ech");
    builder.letter(1, "bsk");
    const TensorId rows = builder.id(0);
    const TensorId routing = builder.id(1);
    const auto sent = builder.rows_of(builder.tensor(0).shape[1]);
    const std::vector<DimId> tokens = builder.tensor(1).shape;
    if (!sent) {
        return builder.fail(fmt::format("'{}' does not contain rows of experts (dispatch creates them)",
                                        builder.tensor(0).name));
    }
    if (!builder.expect_equal(tokens[2], sent->chosen, "the number of choices")) return;
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const TensorId y = builder.add_result(0, {tokens[0], tokens[1], shape[2]}, "bsh");
    Operation& operation = builder.operation();
    operation.whole = "ehk";
    operation.refolding = refolding(builder);
    if (is_masked(builder)) {
        // Weights are part of the mask: its gradient is a product of the results with the tokens' gradients.
        const auto mask = Storage::activation;
        operation.forward = mask_product(builder, shape, routing, {rows}, {y}, mask);
        operation.backward = {mask_product(builder, shape, routing, {y, true}, {rows, true}, mask),
                              mask_product(builder, shape, routing, {rows}, {routing, true}, mask)};
        operation.backward.back().reads.push_back({y, true});
    } else {
        operation.forward = permutation(routing, {rows}, {y});
        operation.backward = {permutation(routing, {y, true}, {rows, true})};
        permute_rows(builder, combining, operation.forward.reads.back(),
                     operation.backward.front().writes.back());
        if (weighs_behind_experts(builder)) operation.backward.front().reads.push_back({rows});
    }
    if (!builder.flag("biased")) return;
    const bool is_wide = builder.stack().dispatcher == graph::Dispatcher::deduplicated;
    const EagerNumbers& numbers = is_wide ? wide_biases : biases;
    operation.forward.reads.back().lane_cycles += eager_cycles(builder, numbers.forward);
    operation.backward.front().writes.back().lane_cycles += eager_cycles(builder, numbers.backward);
}

/// silu(a) · b of the two halves of the last dimension, times a weight per row. The result of an expert's
/// first product is weighted before the second one, so that the result of the latter need not be kept (as in
/// Megatron-LM). `clamped`: both halves are limited first.
void weighted_swiglu(OperationBuilder& builder) {
    if (!builder.expect_operands({3, 2})) return;
    builder.letter(0, "ecf");
    builder.letter(1, "ec");
    if (!builder.check_letters()) return;
    const DimId half = builder.option("width");
    if (builder.failed()) return;
    std::vector<DimId> shape = builder.tensor(0).shape;
    if (builder.extent(half) * 2 != builder.extent(shape[2])) {
        return builder.fail(fmt::format("width {} is not half of the last dimension, {}",
                                        builder.extent(half), builder.extent(shape[2])));
    }
    shape[2] = half;
    const TensorId x = builder.id(0);
    const TensorId weights = builder.id(1);
    const TensorId y = builder.add_result(0, std::move(shape), "ecF");
    const auto op_class = graph::OpClass::elementwise;
    Operation& operation = builder.operation();
    operation.forward = kernel(op_class, {{x}, {weights}}, {{y}}, 3);
    operation.backward = {kernel(op_class, {{y, true}, {x}, {weights}}, {{x, true}, {weights, true}}, 6)};
    if (!builder.flag("clamped")) return;
    operation.forward.reads.front().lane_cycles = eager_cycles(builder, clamps.forward);
    operation.backward.front().writes.front().lane_cycles = eager_cycles(builder, clamps.backward);
}

/// max(x, 0)², times a weight per row, in one kernel: experts of Nemotron 3 (Megatron-LM,
/// weighted_squared_relu).
void weighted_squared_relu(OperationBuilder& builder) {
    if (!builder.expect_operands({3, 2})) return;
    builder.letter(0, "ecf");
    builder.letter(1, "ec");
    if (!builder.check_letters()) return;
    const TensorId x = builder.id(0);
    const TensorId weights = builder.id(1);
    const TensorId y = builder.add_result(0, builder.tensor(0).shape, "ecf");
    const auto op_class = graph::OpClass::elementwise;
    Operation& operation = builder.operation();
    // Operator by operator: maximum, square, product; the gradients take two products and a sum for the
    // weights, and the four kernels of squared_relu.
    operation.forward = kernel(op_class, {{x}, {weights}}, {{y}}, 3);
    operation.backward = {kernel(op_class, {{y, true}, {x}, {weights}}, {{x, true}, {weights, true}}, 7)};
}

}  // namespace dse::frontend::kinds
