#include <optional>

#include <fmt/format.h>

#include "context.hpp"
#include "kinds.hpp"
#include "latent.hpp"

/// Multi-head latent attention: keys and values are computed from one low-rank vector per token; a head's
/// keys consist of its own part without position and a part with position that all heads share. Source:
/// DeepSeek-AI 2024 (arXiv 2405.04434), section 2.1.
namespace dse::frontend::kinds {

bool expect_width(OperationBuilder& builder, std::size_t operand, double width, const std::string& what) {
    const double have = builder.extent(builder.tensor(operand).shape.back());
    if (have == width) return true;
    builder.fail(fmt::format("the last dimension of '{}' is {}, but {} is {}", builder.tensor(operand).name,
                             have, what, width));
    return false;
}

/// Keys of all heads, [b, s, heads·(nope + rope)], from kv [b, s, heads·(nope + value)] and the shared part
/// with position [b, s, rope].
void latent_keys(OperationBuilder& builder) {
    if (!builder.expect_operands({3, 3})) return;
    builder.letter(0, "bso");
    builder.letter(1, "bsr");
    if (!builder.check_letters()) return;
    const DimId heads = builder.option("heads");
    const DimId nope = builder.option("nope");
    const DimId value = builder.option("value");
    if (builder.failed()) return;
    const double width = builder.extent(heads) * (builder.extent(nope) + builder.extent(value));
    if (!expect_width(builder, 0, width, "heads (nope + value)")) return;
    const TensorId kv = builder.id(0);
    const TensorId rope = builder.id(1);
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const DimId rope_width = builder.tensor(1).shape[2];
    const DimId keys_width = builder.product_of_sum(heads, nope, rope_width);
    const TensorId keys = builder.add_result(0, {shape[0], shape[1], keys_width}, "bsO");
    Operation& operation = builder.operation();
    operation.whole = "r";
    operation.indivisible = {{heads, 'o'}};
    // Only the keys' part of kv is read, and only its gradient is written.
    const double part = builder.extent(nope) / (builder.extent(nope) + builder.extent(value));
    Piece& forward = operation.forward;
    forward.op_class = graph::OpClass::elementwise;
    forward.reads = {{kv, false, part}, {rope}};
    forward.writes = {{keys}};
    Piece backward;
    backward.op_class = graph::OpClass::elementwise;
    backward.reads = {{keys, true}};
    backward.writes = {{kv, true, part}, {rope, true}};
    operation.backward = {std::move(backward)};
}

namespace {

/// Where an indexer chooses what is attended to: how many tokens at most, and the width of a cached vector.
struct Selection {
    DimId tokens;
    DimId rank;
};

/// The options `selected` and `rank` (that of values, if not stated); nothing without an indexer.
std::optional<Selection> selection(OperationBuilder& builder, DimId value) {
    if (builder.line().option("selected") == nullptr) return std::nullopt;
    const DimId tokens = builder.option("selected");
    return Selection{tokens, builder.option("rank", builder.text_of(value))};
}

/// Tokens that products are counted with, before the half of causal attention. Those chosen by an indexer: a
/// token attends to those before it up to `selected`, m·s - m²/2 pairs with m = min(selected, s), which is
/// half of s times 2·m - m²/s.
Factor attended(OperationBuilder& builder, const std::optional<Selection>& selected) {
    const Factor all = builder.factor('t');
    if (!selected) return all;
    const std::string tokens = builder.text_of(all.dim);
    const std::string most = fmt::format("min({}, {})", builder.text_of(selected->tokens), tokens);
    return {builder.dimension(fmt::format("2*{0} - {0}*{0}//({1})", most, tokens)), '\0'};
}

/// Products over values are the unit; those over keys are wider. In eight bits, whose rate depends on the
/// width, the unit is the mean of both.
DimId unit_of_products(OperationBuilder& builder, DimId nope, DimId rope, DimId value) {
    if (!attends_in_fp8(builder.stack())) return value;
    return builder.dimension(fmt::format("(({}) + ({}) + ({}))//2", builder.text_of(nope),
                                         builder.text_of(rope), builder.text_of(value)));
}

}  // namespace

/// Fused attention of queries [b, s, heads·(nope + rope)] over such keys and the values in kv. FLOPs as those
/// of `attention`, with heads whose keys are wider than their values: 2·S2·heads·(nope + rope + value), half
/// of it where causal; the backward pass runs three products over keys and two over values. Kernels for
/// tokens that an indexer chose may work on the cached vectors of low rank, for all heads or, of sharded
/// ones, no fewer than `sparse_heads` on a device.
void latent_attention(OperationBuilder& builder) {
    if (!builder.expect_operands({3, 3, 3})) return;
    builder.letter(0, "bso");
    builder.letter(1, "bto");
    builder.letter(2, "btO");
    if (!builder.check_letters()) return;
    const DimId heads = builder.option("heads");
    const DimId nope = builder.option("nope");
    const DimId rope = builder.option("rope");
    const DimId value = builder.option("value");
    const bool causal = builder.flag("causal");
    if (builder.failed()) return;
    const std::optional<Selection> selected = selection(builder, value);
    if (builder.failed()) return;
    const double of_key = builder.extent(nope) + builder.extent(rope);
    const double of_value = builder.extent(value);
    const double n = builder.extent(heads);
    if (!expect_width(builder, 0, n * of_key, "heads (nope + rope)")) return;
    if (!expect_width(builder, 2, n * (builder.extent(nope) + of_value), "heads (nope + value)")) return;

    cross_context(builder);
    const TensorId q = builder.id(0);
    const TensorId keys = builder.id(1);
    const TensorId kv = builder.id(2);
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const DimId width = builder.product(heads, value);
    builder.add_result(0, {shape[0], shape[1], width}, "bsO");
    const TensorId statistics = builder.add_saved("lse", {shape[0], shape[1], heads}, "bsO", Storage::full);
    if (builder.failed()) return;
    const TensorId y = cross_back(builder);

    Operation& operation = builder.operation();
    operation.indivisible = {{heads, 'o'}};
    operation.causal = causal;
    const Factor seen = attended(builder, selected);
    if (builder.failed()) return;
    const DimId unit = unit_of_products(builder, nope, rope, value);
    const std::int64_t padded = selected ? builder.stack().sparse_heads : 0;
    const Factor worked_on =
        padded > 0 ? Factor{builder.dimension(fmt::format("{}", padded)), '\0'} : Factor{heads, 'o'};
    const GemmFactors scores{{builder.factor('b'), worked_on}, {builder.factor('s')}, {seen}, {{unit, '\0'}}};
    // Cached vectors: as keys they have the low rank and the positional part, as values the low rank.
    const double rank = selected ? builder.extent(selected->rank) : 0.0;
    const double keys_wide = (padded > 0 ? rank + builder.extent(rope) : of_key) / builder.extent(unit);
    const double values_wide = (padded > 0 ? rank : of_value) / builder.extent(unit);
    const double both_wide = keys_wide + values_wide;
    const double share = causal ? 0.5 : 1.0;
    const double values_read = of_value / (builder.extent(nope) + of_value);
    const auto op_class = graph::OpClass::attention;
    operation.forward = attention_kernel(op_class, scores, share * both_wide, share * both_wide,
                                         {{q}, {keys}, {kv, false, values_read}}, {{y}, {statistics}});
    operation.backward = {
        attention_kernel(op_class, scores, share * 2 * both_wide, share * (3 * keys_wide + 2 * values_wide),
                         {{y, true}, {q}, {keys}, {kv, false, values_read}, {y}, {statistics}},
                         {{q, true}, {keys, true}, {kv, true, values_read}})};
    operation.backward.front().kernels = 3;
    operation.backward.front().eager_kernels = 3;
}

}  // namespace dse::frontend::kinds
