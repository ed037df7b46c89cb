#include <fmt/format.h>

#include "context.hpp"
#include "kinds.hpp"

namespace dse::frontend::kinds {
namespace {

/// Sizes that the attention operators share. Tensors of heads are [b, s, heads·head_dim], split by heads.
struct Heads {
    DimId heads;
    DimId kv_heads;
    DimId head_dim;
    Factor batch;
    Factor sequence;
    DimId width;     ///< heads · head_dim
    DimId kv_width;  ///< kv_heads · head_dim
    bool causal{false};
};

bool read_options(OperationBuilder& builder, Heads& result) {
    result.heads = builder.option("heads");
    result.kv_heads = builder.option("kv_heads");
    result.head_dim = builder.option("head_dim");
    result.causal = builder.flag("causal");
    if (builder.failed()) return false;
    if (builder.extent(result.kv_heads) > builder.extent(result.heads)) {
        builder.fail("more kv_heads than heads");
        return false;
    }
    const std::string& head_dim = *builder.line().option("head_dim");
    result.width = builder.dimension(fmt::format("({})*({})", *builder.line().option("heads"), head_dim));
    result.kv_width =
        builder.dimension(fmt::format("({})*({})", *builder.line().option("kv_heads"), head_dim));
    builder.operation().indivisible = {{result.kv_heads, 'o'}};
    return !builder.failed();
}

/// Checks a fused projection qkv [b, s, (heads + 2·kv_heads)·head_dim].
bool check_projection(OperationBuilder& builder, std::size_t qkv, const Heads& heads) {
    const double projected = builder.extent(heads.width) + 2 * builder.extent(heads.kv_width);
    const double have = builder.extent(builder.tensor(qkv).shape[2]);
    if (projected == have) return true;
    builder.fail(fmt::format("the last dimension of '{}' is {}, but (heads + 2 kv_heads) head_dim is {}",
                             builder.tensor(qkv).name, have, projected));
    return false;
}

/// Reads the options of an operator over a fused projection (operand `qkv`, letters "bso").
bool read_heads(OperationBuilder& builder, std::size_t qkv, Heads& result) {
    if (!read_options(builder, result) || !check_projection(builder, qkv, result)) return false;
    result.batch = builder.factor('b');
    result.sequence = builder.factor('s');
    return true;
}

/// One of the two products of attention over the whole score matrix.
GemmFactors score_product(const Heads& heads) {
    const Factor by_head{heads.heads, 'o'};
    const Factor s{heads.sequence.dim, 's'};
    return {{heads.batch, by_head}, {s}, {s}, {{heads.head_dim, '\0'}}};
}

/// Reads the operands: a fused projection, which is split, or queries, keys and values.
bool read_flash(OperationBuilder& builder, Heads& heads) {
    if (builder.failed()) return false;
    if (builder.operand_count() != 1 && builder.operand_count() != 3) {
        builder.fail(
            fmt::format("takes a fused projection, or q, k and v, not {} tensors", builder.operand_count()));
        return false;
    }
    for (std::size_t i = 0; i < builder.operand_count(); ++i) {
        if (builder.tensor(i).shape.size() == 3) continue;
        builder.fail(fmt::format("'{}' has {} dimensions, not 3", builder.tensor(i).name,
                                 builder.tensor(i).shape.size()));
        return false;
    }
    if (!read_options(builder, heads)) return false;
    if (builder.operand_count() == 1) {
        if (!check_projection(builder, 0, heads)) return false;
        const DimId keys_and_values = builder.dimension(fmt::format(
            "2*({})*({})", *builder.line().option("kv_heads"), *builder.line().option("head_dim")));
        builder.split_operand(0, "bso", {{"q", heads.width}, {"kv", keys_and_values}});
    } else {
        if (!builder.expect_equal(builder.tensor(0).shape[2], heads.width, "heads x head_dim of the queries"))
            return false;
        for (const std::size_t i : {1, 2}) {
            const std::string what = fmt::format("kv_heads x head_dim of '{}'", builder.tensor(i).name);
            if (!builder.expect_equal(builder.tensor(i).shape[2], heads.kv_width, what)) return false;
        }
    }
    builder.letter(0, "bso");
    for (std::size_t i = 1; i < builder.operand_count(); ++i) builder.letter(i, "btO");
    heads.batch = builder.factor('b');
    heads.sequence = builder.factor('s');
    return true;
}

/// The tokens that each token of a sequence attends to in a window, at most those that it would without one:
/// half of the sequence if causal. Exact for sequences much longer than the window, and for those shorter
/// than it.
DimId seen_in_window(OperationBuilder& builder, const Heads& heads) {
    const std::string& sequence = builder.text_of(heads.sequence.dim);
    const std::string most = heads.causal ? fmt::format("(({}) + 1) // 2", sequence) : sequence;
    return builder.dimension(fmt::format("min({}, {})", *builder.line().option("window"), most));
}

/// Adds what the backward kernel of attention to a window computes in eight bits: the gradients of all causal
/// scores. Source: cudnn-frontend 3929da2 (May 2026, cuDNN 9.22), benchmark/sdpa_benchmark_training/results,
/// gpt_oss: its time grows with the square of the sequence, unlike that of the forward kernel and of 16 bits.
void compute_whole_gradient(const Heads& heads, Operation& operation) {
    Piece& within = operation.backward.front();
    Piece whole = within;
    within.executed_factor = 0.0;
    within.writes.resize(1);
    whole.writes.erase(whole.writes.begin());
    for (Use& use : whole.reads) use.passes = 0.0;
    whole.gemm = score_product(heads);
    whole.gemm.n = {{heads.sequence.dim, '\0'}};
    whole.model_factor = 0.0;
    whole.executed_factor = 5 * 0.5;
    whole.kernels = whole.eager_kernels = 0.0;
    operation.backward.push_back(std::move(whole));
}

}  // namespace

/// Fused (flash) attention. Model FLOPs: two products, half of each if causal (docs/theory/work.md 1.2:
/// 2·S2·q; with a `window`, s·window pairs, but no more than without); `counts_masked` counts
/// them whole, as publications of GPT models do, though the kernel skips what the mask hides. The backward
/// pass executes five products, of which four are model FLOPs: 2.5 times the forward pass. Source: Dao,
/// FlashAttention-2, 2023, section 4.1.
void attention(OperationBuilder& builder) {
    Heads heads;
    if (!read_flash(builder, heads)) return;
    const bool decodes = builder.mode() == graph::Mode::decode;
    const DimId cached = builder.product(builder.dimension("2"), heads.kv_width);
    // Tokens that attend to later ones are read at once, and none follows.
    if (decodes && !heads.causal)
        return builder.fail("attends to later tokens (causal=false), so that no token can be decoded");
    if (is_inference(builder.mode())) {
        if (heads.causal) builder.cache_before(1, "bsO", cached);
        if (heads.kv_heads != heads.heads) builder.operation().replicable = heads.kv_heads;
    }
    const bool counts_masked = builder.flag("counts_masked");
    const bool is_windowed = builder.line().option("window") != nullptr;
    if (is_windowed) static_cast<void>(builder.option("window"));
    cross_context(builder);
    const DimId b = heads.batch.dim;
    const DimId s = heads.sequence.dim;
    builder.add_result(0, {b, s, heads.width}, "bso");
    const TensorId statistics = builder.add_saved("lse", {b, s, heads.heads}, "bsO", Storage::full);
    if (builder.failed()) return;
    const TensorId y = cross_back(builder);

    Operation& operation = builder.operation();
    operation.causal = heads.causal && !is_windowed;
    // A new token attends to the whole cache or to a window of it; each token of a long sequence to a whole
    // window.
    const double share = operation.causal && !decodes ? 0.5 : 1.0;
    const double counted = counts_masked ? 1.0 : share;
    const std::string in_cache =
        is_windowed ? fmt::format("min({}, context)", *builder.line().option("window")) : "context";
    const DimId in_sequence = is_windowed ? seen_in_window(builder, heads) : heads.sequence.dim;
    const DimId seen = decodes ? builder.dimension(in_cache) : in_sequence;
    const auto op_class = graph::OpClass::attention;
    const GemmFactors scores{{heads.batch, {heads.heads, 'o'}},
                             {{s, 's'}},
                             {{seen, is_windowed ? '\0' : 't'}},
                             {{heads.head_dim, '\0'}}};
    std::vector<Use> inputs = operands_of(operation);
    if (decodes) inputs.push_back({builder.read_cache(b, cached, "btO", in_cache)});
    std::vector<Use> backward_inputs{{y, true}};
    backward_inputs.insert(backward_inputs.end(), inputs.begin(), inputs.end());
    backward_inputs.push_back({y});
    backward_inputs.push_back({statistics});
    operation.forward =
        attention_kernel(op_class, scores, 2 * counted, 2 * share, inputs, {{y}, {statistics}});
    operation.backward = {attention_kernel(op_class, scores, 4 * counted, 5 * share,
                                           std::move(backward_inputs), gradients_of(operation))};
    operation.backward.front().kernels = 3;
    operation.backward.front().eager_kernels = 3;
    if (is_windowed && attends_in_fp8(builder.stack())) compute_whole_gradient(heads, operation);
}

namespace {

/// Appends the keys and values of a fused projection to the cache, but not its queries.
void cache_projection(OperationBuilder& builder, const Heads& heads) {
    const double cached = 2 * builder.extent(heads.kv_width);
    const double share = cached / (builder.extent(heads.width) + cached);
    builder.cache_before(0, "bso", builder.product(builder.dimension("2"), heads.kv_width), share);
    if (heads.kv_heads != heads.heads) builder.operation().replicable = heads.kv_heads;
}

}  // namespace

/// Unfused attention: the score matrix Q·Kᵀ, computed in full even if the model is causal.
void attention_scores(OperationBuilder& builder) {
    if (builder.mode() == graph::Mode::decode)
        return builder.fail("reads no cache: decode runs attention flash");
    if (!builder.expect_operands({3})) return;
    builder.letter(0, "bso");
    Heads heads;
    if (!read_heads(builder, 0, heads)) return;
    if (is_inference(builder.mode())) cache_projection(builder, heads);
    const TensorId qkv = builder.id(0);
    const DimId s = heads.sequence.dim;
    const TensorId y = builder.add_result(0, {heads.batch.dim, heads.heads, s, s}, "bOst");

    Operation& operation = builder.operation();
    operation.whole = "s";
    const double share = heads.causal ? 0.5 : 1.0;
    const auto op_class = graph::OpClass::gemm;
    operation.forward = attention_kernel(op_class, score_product(heads), share, 1, {{qkv}}, {{y}});
    operation.backward = {
        attention_kernel(op_class, score_product(heads), 2 * share, 2, {{y, true}, {qkv}}, {{qkv, true}})};
    operation.backward.front().kernels = 2;
    operation.backward.front().eager_kernels = 2;
}

/// Unfused attention: probabilities · V.
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
    const auto op_class = graph::OpClass::gemm;
    operation.forward =
        attention_kernel(op_class, score_product(heads), share, 1, {{probabilities}, {qkv}}, {{y}});
    operation.backward = {attention_kernel(op_class, score_product(heads), 2 * share, 2,
                                           {{y, true}, {probabilities}, {qkv}},
                                           {{probabilities, true}, {qkv, true}})};
    operation.backward.front().kernels = 2;
    operation.backward.front().eager_kernels = 2;
}

}  // namespace dse::frontend::kinds
