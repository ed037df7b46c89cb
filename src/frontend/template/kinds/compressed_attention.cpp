#include <fmt/format.h>

#include "context.hpp"
#include "kinds.hpp"
#include "latent.hpp"

/// Attention to a window of tokens and to all tokens before it in compressed form, with one head of keys that
/// are also values. Source: DeepSeek-AI 2026, DeepSeek-V4, section 2.3; transformers, models/deepseek_v4
/// (5.24).
namespace dse::frontend::kinds {

/// One vector for every `ratio` tokens: a weighted mean of what x [b, s, parts·width] holds of them, half of
/// it values and half weights, with a bias of each position [ratio, …] and a norm [width]. As a tensor it has
/// width / ratio numbers a token: [b, s, width//ratio].
void compress_tokens(OperationBuilder& builder) {
    if (!builder.expect_operands({3, 2, 1})) return;
    builder.letter(0, "bsx");
    builder.letter(1, "rp");
    builder.letter(2, "w");
    if (!builder.check_letters()) return;
    const DimId ratio = builder.option("ratio");
    if (builder.failed()) return;
    if (!builder.expect_equal(builder.tensor(1).shape[0], ratio, "positions of a compressed token")) return;
    if (!expect_width(builder, 0, 2 * builder.extent(builder.tensor(1).shape[1]), "values and their weights"))
        return;
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const std::string width = builder.text_of(builder.tensor(2).shape[0]);
    const DimId of_token = builder.dimension(fmt::format("({})//({})", width, builder.text_of(ratio)));
    const TensorId x = builder.id(0);
    const TensorId bias = builder.id(1);
    const TensorId norm = builder.id(2);
    const TensorId y = builder.add_result(0, {shape[0], shape[1], of_token}, "bsX");
    const auto op_class = graph::OpClass::elementwise;
    Operation& operation = builder.operation();
    operation.whole = "xrpw";
    operation.forward = kernel(op_class, {{x}, {bias}, {norm}}, {{y}}, 6);
    operation.backward = {
        kernel(op_class, {{y, true}, {x}, {bias}, {norm}}, {{x, true}, {bias, true}, {norm, true}}, 12)};
}

namespace {

/// Tokens, and compressed ones, that a token attends to on average, exact for long and for short sequences.
std::string seen_by_token(const std::string& window, const std::string& all, const std::string& compressed,
                          bool decodes) {
    if (decodes)
        return compressed.empty() ? fmt::format("min({}, {})", window, all)
                                  : fmt::format("min({}, {}) + {}", window, all, compressed);
    const std::string near = fmt::format("min({}, (({}) + 1)//2)", window, all);
    return compressed.empty() ? near : near + " + " + compressed;
}

/// Compressed tokens that one attends to: all before it, of which there are half as many on average in a
/// sequence, or no more than `selected`: m - m²/2S of S with m = min(selected, S).
std::string compressed_seen(OperationBuilder& builder, const std::string& all, bool decodes) {
    const std::string* ratio = builder.line().option("ratio");
    if (ratio == nullptr) return {};
    static_cast<void>(builder.option("ratio"));
    const std::string whole = fmt::format("max(1, ({})//({}))", all, *ratio);
    const std::string* selected = builder.line().option("selected");
    if (selected == nullptr) return decodes ? whole : fmt::format("({} + 1)//2", whole);
    static_cast<void>(builder.option("selected"));
    const std::string most = fmt::format("min({}, {})", *selected, whole);
    return decodes ? most : fmt::format("{0} - {0}*{0}//(2*{1})", most, whole);
}

}  // namespace

/// Attention of queries q [b, s, heads·head_dim] to kv [b, s, head_dim], a window of it, and to compressed
/// tokens c [b, s, head_dim//ratio], all of them or those that an indexer has `selected`. The result is
/// [b, s, groups, heads·head_dim/groups], for a projection in groups. FLOPs: two products over what is seen,
/// 4·heads·head_dim each. Only compressed tokens are cached for the whole context; the window is read, too.
void compressed_attention(OperationBuilder& builder) {
    const bool compresses = builder.operand_count() == 3;
    if (!(compresses ? builder.expect_operands({3, 3, 3}) : builder.expect_operands({3, 3}))) return;
    builder.letter(0, "bso");
    builder.letter(1, "btr");
    if (compresses) builder.letter(2, "btx");
    if (!builder.check_letters()) return;
    const DimId heads = builder.option("heads");
    const DimId head_dim = builder.option("head_dim");
    const DimId groups = builder.option("groups");
    const DimId window = builder.option("window");
    if (builder.failed()) return;
    const bool decodes = builder.mode() == graph::Mode::decode;
    if (!builder.expect_equal(builder.tensor(1).shape[2], head_dim, "the width of keys")) return;
    if (!expect_width(builder, 0, builder.extent(heads) * builder.extent(head_dim), "heads x head_dim"))
        return;
    if (compresses != (builder.line().option("ratio") != nullptr))
        return builder.fail("takes compressed tokens together with their ratio");
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const std::string all = decodes ? "context" : builder.text_of(shape[1]);
    const DimId seen = builder.dimension(
        seen_by_token(builder.text_of(window), all, compressed_seen(builder, all, decodes), decodes));
    if (builder.failed()) return;
    const DimId cached = compresses ? builder.tensor(2).shape[2] : head_dim;
    if (compresses && is_inference(builder.mode())) builder.cache_before(2, "btx", cached);
    const TensorId q = builder.id(0);
    const TensorId kv = builder.id(1);
    const DimId of_group = builder.dimension(fmt::format("({})*({})//({})", builder.text_of(heads),
                                                         builder.text_of(head_dim), builder.text_of(groups)));
    const TensorId y = builder.add_result(0, {shape[0], shape[1], groups, of_group}, "bsOp");
    const TensorId statistics = builder.add_saved("lse", {shape[0], shape[1], heads}, "bsO", Storage::full);
    if (builder.failed()) return;

    Operation& operation = builder.operation();
    operation.whole = "strxp";
    operation.indivisible = {{heads, 'o'}, {groups, 'o'}};
    const Factor b = builder.factor('b');
    const Factor s = builder.factor('s');
    // All heads read the same keys: a token's heads are the rows of one product where tokens come singly.
    GemmFactors scores{{b, {heads, 'o'}}, {s}, {{seen, '\0'}}, {{head_dim, '\0'}}};
    if (decodes) scores = {{b, s}, {{heads, 'o'}}, {{seen, '\0'}}, {{head_dim, '\0'}}};
    std::vector<Use> inputs{{q}, {kv}};
    if (compresses && !decodes) inputs.push_back({builder.id(2)});
    std::vector<Use> backward_inputs{{y, true}};
    backward_inputs.insert(backward_inputs.end(), inputs.begin(), inputs.end());
    backward_inputs.push_back({y});
    backward_inputs.push_back({statistics});
    const auto op_class = graph::OpClass::attention;
    operation.forward = attention_kernel(op_class, scores, 2, 2, inputs, {{y}, {statistics}});
    // What is seen lies apart, so that each sequence reads all of it once.
    if (decodes)
        operation.forward.traffic = {Traffic{{b, {seen, '\0'}, {head_dim, '\0'}}, Storage::cache, 1.0}};
    operation.backward = {
        attention_kernel(op_class, scores, 4, 5, std::move(backward_inputs), gradients_of(operation))};
    operation.backward.front().kernels = 3;
    operation.backward.front().eager_kernels = 3;
}

}  // namespace dse::frontend::kinds
