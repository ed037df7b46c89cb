#include <fmt/format.h>

#include "kinds.hpp"

namespace dse::frontend::kinds {
namespace {

/// What the attention operators share: a fused projection qkv [b, s, (heads + 2·kv_heads)·head_dim], split by
/// heads.
struct Heads {
    DimId heads;
    DimId head_dim;
    Factor batch;
    Factor sequence;
    DimId width;  ///< heads · head_dim
    bool causal{false};
};

/// Reads the options and checks the projection (operand `qkv`, letters "bso").
bool read_heads(OperationBuilder& builder, std::size_t qkv, Heads& result) {
    result.heads = builder.option("heads");
    const DimId kv_heads = builder.option("kv_heads");
    result.head_dim = builder.option("head_dim");
    result.causal = builder.flag("causal");
    if (builder.failed()) return false;
    const double projected =
        (builder.extent(result.heads) + 2 * builder.extent(kv_heads)) * builder.extent(result.head_dim);
    const double have = builder.extent(builder.tensor(qkv).shape[2]);
    if (projected != have) {
        builder.fail(fmt::format("the last dimension of '{}' is {}, but (heads + 2 kv_heads) head_dim is {}",
                                 builder.tensor(qkv).name, have, projected));
        return false;
    }
    if (builder.extent(kv_heads) > builder.extent(result.heads)) {
        builder.fail("more kv_heads than heads");
        return false;
    }
    builder.operation().indivisible = {{kv_heads, 'o'}};
    result.batch = builder.factor('b');
    result.sequence = builder.factor('s');
    result.width = builder.dimension(
        fmt::format("({})*({})", *builder.line().option("heads"), *builder.line().option("head_dim")));
    return !builder.failed();
}

/// One of the two products of attention over the whole score matrix.
GemmFactors score_product(const Heads& heads) {
    const Factor by_head{heads.heads, 'o'};
    const Factor s{heads.sequence.dim, 's'};
    return {{heads.batch, by_head}, {s}, {s}, {{heads.head_dim, '\0'}}};
}

Piece kernel(workload::OpClass op_class, GemmFactors gemm, double model, double executed,
             std::vector<Use> reads, std::vector<Use> writes) {
    Piece piece;
    piece.op_class = op_class;
    piece.gemm = std::move(gemm);
    piece.model_factor = model;
    piece.executed_factor = executed;
    piece.reads = std::move(reads);
    piece.writes = std::move(writes);
    return piece;
}

}  // namespace

/// Fused (flash) attention. Model FLOPs: two products, half of each where causal (FORMULAS §1.2: 2·S2·q); the
/// backward pass runs five products for the model's four, 2.5 times the forward pass. Source: Dao,
/// FlashAttention-2, 2023, section 4.1.
void attention(OperationBuilder& builder) {
    if (!builder.expect_operands({3})) return;
    builder.letter(0, "bso");
    Heads heads;
    if (!read_heads(builder, 0, heads)) return;
    const TensorId qkv = builder.id(0);
    const DimId b = heads.batch.dim;
    const DimId s = heads.sequence.dim;
    const TensorId y = builder.add_result(0, {b, s, heads.width}, "bsO");
    const TensorId statistics = builder.add_saved("lse", {b, s, heads.heads}, "bsO", Storage::full);

    Operation& operation = builder.operation();
    operation.whole = "s";
    const double share = heads.causal ? 0.5 : 1.0;
    const auto op_class = workload::OpClass::attention;
    operation.forward =
        kernel(op_class, score_product(heads), 2 * share, 2 * share, {{qkv}}, {{y}, {statistics}});
    operation.backward = {kernel(op_class, score_product(heads), 4 * share, 5 * share,
                                 {{y, true}, {qkv}, {y}, {statistics}}, {{qkv, true}})};
    operation.backward.front().kernels = 3;
    operation.backward.front().eager_kernels = 3;
}

/// Unfused: the score matrix Q·Kᵀ, computed in full also where the model is causal.
void attention_scores(OperationBuilder& builder) {
    if (!builder.expect_operands({3})) return;
    builder.letter(0, "bso");
    Heads heads;
    if (!read_heads(builder, 0, heads)) return;
    const TensorId qkv = builder.id(0);
    const DimId s = heads.sequence.dim;
    const TensorId y = builder.add_result(0, {heads.batch.dim, heads.heads, s, s}, "bOst");

    Operation& operation = builder.operation();
    operation.whole = "s";
    const double share = heads.causal ? 0.5 : 1.0;
    const auto op_class = workload::OpClass::gemm;
    operation.forward = kernel(op_class, score_product(heads), share, 1, {{qkv}}, {{y}});
    operation.backward = {
        kernel(op_class, score_product(heads), 2 * share, 2, {{y, true}, {qkv}}, {{qkv, true}})};
    operation.backward.front().kernels = 2;
    operation.backward.front().eager_kernels = 2;
}

/// Unfused: probabilities · V.
void attention_values(OperationBuilder& builder) {
    if (!builder.expect_operands({4, 3})) return;
    builder.letter(0, "bOst");
    builder.letter(1, "bso");
    Heads heads;
    if (!read_heads(builder, 1, heads)) return;
    const TensorId probabilities = builder.id(0);
    const TensorId qkv = builder.id(1);
    const TensorId y = builder.add_result(0, {heads.batch.dim, heads.sequence.dim, heads.width}, "bsO");

    Operation& operation = builder.operation();
    operation.whole = "st";
    const double share = heads.causal ? 0.5 : 1.0;
    const auto op_class = workload::OpClass::gemm;
    operation.forward = kernel(op_class, score_product(heads), share, 1, {{probabilities}, {qkv}}, {{y}});
    operation.backward = {kernel(op_class, score_product(heads), 2 * share, 2,
                                 {{y, true}, {probabilities}, {qkv}}, {{probabilities, true}, {qkv, true}})};
    operation.backward.front().kernels = 2;
    operation.backward.front().eager_kernels = 2;
}

}  // namespace dse::frontend::kinds
