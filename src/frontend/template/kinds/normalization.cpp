#include <fmt/format.h>

#include "kinds.hpp"

namespace dse::frontend::kinds {
namespace {

/// Normalization over the last dimension, scaled by vectors of its length.
void normalize(OperationBuilder& builder, std::size_t vectors, double eager_forward, double eager_backward) {
    builder.letter_by_position(0);
    const std::string letters = builder.operation().operands[0].letters;
    if (letters.empty()) return builder.fail("needs a dimension to normalise");
    for (std::size_t i = 1; i <= vectors; ++i) builder.letter(i, letters.substr(letters.size() - 1));
    if (!builder.check_letters()) return;

    const TensorId x = builder.id(0);
    const TensorId y = builder.add_result(0, builder.tensor(0).shape, letters);
    Operation& operation = builder.operation();
    operation.whole = letters.substr(letters.size() - 1);
    std::vector<Use> reads{{x}};
    for (std::size_t i = 1; i <= vectors; ++i) reads.push_back({operation.operands[i].tensor});
    const graph::OpClass op_class = graph::OpClass::normalization;
    operation.forward = kernel(op_class, reads, {{y}}, eager_forward);
    std::vector<Use> writes{{x, true}};
    for (std::size_t i = 1; i <= vectors; ++i) writes.push_back({operation.operands[i].tensor, true});
    reads.push_back({y, true});
    operation.backward = {kernel(op_class, reads, std::move(writes), eager_backward)};
}

}  // namespace

/// Run operator by operator, its intermediate results are of 32 bits (LlamaRMSNorm of Transformers,
/// torchtitan, fms): the cast, the square, its mean, the product with the inverse root, the cast back and the
/// product with the weight move 6 + 8 + 4 + 8 + 6 + 4 bytes per element of 16 bits, 9 times what one kernel
/// moves, and their gradients 76, 12.7 times. Autograd keeps the cast, and what the weight multiplies if it
/// is trained. `fused=true`: one kernel of the framework's own (Triton), whose gradient takes a second one
/// for the weight, as that of layer_norm. `narrow=true`: nothing is cast, so that 4 + 2 + 4 + 4 bytes move,
/// and 54 for the gradients. Of PyTorch 1.13 to 2.1, whose mean keeps its operand (pytorch/pytorch, issue
/// 109876), autograd keeps the square.
void rms_norm(OperationBuilder& builder) {
    if (!builder.expect_operands({0, 1})) return;
    const bool fused = builder.flag("fused");
    if (fused) return normalize(builder, 1, 1, 2);
    const bool narrow = builder.flag("narrow");
    normalize(builder, 1, 4, 8);
    if (builder.failed()) return;
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const std::string letters = builder.operation().operands[0].letters;
    const bool casts = graph::bytes_of(builder.stack().precision) < Bytes{4};
    if (narrow) {
        builder.keep_intermediate("square", shape, letters);
    } else if (casts) {
        builder.keep_intermediate("wide", shape, letters, Storage::full);
    }
    if (!builder.tensor(1).frozen) builder.keep_intermediate("normalized", shape, letters);
    builder.operation().forward.eager_passes = narrow ? 3.5 : 9.0;
    builder.operation().backward.front().eager_passes = narrow ? 9.0 : 12.7;
}

void layer_norm(OperationBuilder& builder) {
    if (builder.expect_operands({0, 1, 1})) normalize(builder, 2, 1, 2);
}

/// Batch normalization of each channel of [b, h, w, c] with the statistics of a device's own samples. Both
/// passes read their input twice, first for the statistics. Source: Ioffe and Szegedy 2015.
void batch_norm(OperationBuilder& builder) {
    if (!builder.expect_operands({4, 1, 1})) return;
    builder.letter(0, "bhwc");
    builder.letter(1, "c");
    builder.letter(2, "c");
    if (!builder.check_letters()) return;
    const TensorId x = builder.id(0);
    const TensorId scale = builder.id(1);
    const TensorId shift = builder.id(2);
    const TensorId y = builder.add_result(0, builder.tensor(0).shape, "bhwc");
    const auto op_class = graph::OpClass::normalization;
    Operation& operation = builder.operation();
    operation.forward = kernel(op_class, {{x, false, 2.0}, {scale}, {shift}}, {{y}}, 1);
    operation.backward = {kernel(op_class, {{x, false, 2.0}, {y, true, 2.0}, {scale}},
                                 {{x, true}, {scale, true}, {shift, true}}, 1)};
}

/// RMSNorm of each query head and each key head of a fused projection [b, s, (heads + 2·kv_heads)·head_dim];
/// values are not changed, or, with `values=false`, not part of it. One vector for all query heads, one for
/// all key heads. Source: Yang et al. 2025 (Qwen3).
void head_norm(OperationBuilder& builder) {
    if (!builder.expect_operands({3, 1, 1})) return;
    builder.letter(0, "bso");
    builder.letter(1, "d");
    builder.letter(2, "d");
    if (!builder.check_letters()) return;
    const DimId heads = builder.option("heads");
    const DimId kv_heads = builder.option("kv_heads");
    const DimId head_dim = builder.option("head_dim");
    if (builder.failed()) return;
    if (!builder.expect_equal(builder.tensor(1).shape[0], head_dim, "the length of a norm")) return;
    const double keys = builder.extent(kv_heads);
    const bool has_values = builder.line().option("values") == nullptr || builder.flag("values");
    const double all = builder.extent(heads) + (has_values ? 2 : 1) * keys;
    const double projected = all * builder.extent(head_dim);
    const double have = builder.extent(builder.tensor(0).shape[2]);
    if (projected != have) {
        return builder.fail(
            fmt::format("the last dimension of '{}' is {}, but (heads + {}kv_heads) head_dim is {}",
                        builder.tensor(0).name, have, has_values ? "2 " : "", projected));
    }
    const TensorId qkv = builder.id(0);
    const TensorId w_q = builder.id(1);
    const TensorId w_k = builder.id(2);
    const TensorId y = builder.add_result(0, builder.tensor(0).shape, "bso");
    Operation& operation = builder.operation();
    operation.whole = "d";
    operation.indivisible = {{kv_heads, 'o'}};
    const double part = has_values ? (all - keys) / all : 1.0;
    const graph::OpClass op_class = graph::OpClass::normalization;
    operation.forward = kernel(op_class, {{qkv, false, part}, {w_q}, {w_k}}, {{y, false, part}}, 8);
    operation.backward = {kernel(op_class, {{qkv, false, part}, {w_q}, {w_k}, {y, true, part}},
                                 {{qkv, true, part}, {w_q, true}, {w_k, true}}, 16)};
}

/// Two tensors, each normalized with its own vector and concatenated along the last dimension: the input of
/// the prediction of the token after the next one (DeepSeek-AI 2024, DeepSeek-V3, section 2.2).
void joined_norm(OperationBuilder& builder) {
    if (!builder.expect_operands({3, 3, 1, 1})) return;
    for (const std::size_t operand : {0, 1}) builder.letter(operand, "bsh");
    for (const std::size_t vector : {2, 3}) builder.letter(vector, "h");
    if (!builder.check_letters()) return;
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const TensorId a = builder.id(0);
    const TensorId b = builder.id(1);
    const TensorId w_a = builder.id(2);
    const TensorId w_b = builder.id(3);
    const DimId twice = builder.product(builder.dimension("2"), shape[2]);
    const TensorId y = builder.add_result(0, {shape[0], shape[1], twice}, "bsH");
    Operation& operation = builder.operation();
    operation.whole = "h";
    const graph::OpClass op_class = graph::OpClass::normalization;
    operation.forward = kernel(op_class, {{a}, {b}, {w_a}, {w_b}}, {{y}}, 9);
    operation.backward = {kernel(op_class, {{a}, {b}, {w_a}, {w_b}, {y, true}},
                                 {{a, true}, {b, true}, {w_a, true}, {w_b, true}}, 17)};
}

/// Softmax over the last dimension; the backward pass only needs the result.
void softmax(OperationBuilder& builder) {
    if (!builder.expect_operands({0})) return;
    builder.letter_by_position(0);
    const std::string letters = builder.operation().operands[0].letters;
    if (letters.empty()) return builder.fail("needs a dimension");
    const TensorId x = builder.id(0);
    const TensorId y = builder.add_result(0, builder.tensor(0).shape, letters);
    Operation& operation = builder.operation();
    operation.whole = letters.substr(letters.size() - 1);
    operation.forward = kernel(graph::OpClass::softmax, {{x}}, {{y}}, 2);
    operation.backward = {kernel(graph::OpClass::softmax, {{y, true}, {y}}, {{x, true}}, 2)};
}

}  // namespace dse::frontend::kinds
