#include <fmt/format.h>

#include "kinds.hpp"
#include "latent.hpp"

/// Latent attention in decode: the projections of the low-rank vector to keys and values are absorbed into
/// the queries and the result, so that all heads attend to the cached vectors themselves and nothing is
/// computed per head for the whole context. Source: DeepSeek-AI 2024 (arXiv 2405.04434), section 2.1.2 and
/// appendix C.
namespace dse::frontend::kinds {
namespace {

bool expect_inference(OperationBuilder& builder) {
    if (is_inference(builder.mode())) return true;
    builder.fail("has no backward pass (write it in a group `when: mode != 'training'`)");
    return false;
}

/// A matrix product per head of the first operand with a part of the weight for keys and values.
void head_product(OperationBuilder& builder, DimId heads, DimId n, DimId k, double weight_share) {
    const TensorId from = builder.id(0);
    const TensorId weight = builder.id(1);
    Operation& operation = builder.operation();
    operation.indivisible = {{heads, 'o'}};
    operation.forward =
        product({{{heads, 'o'}}, {builder.factor('b'), builder.factor('s')}, {{n, '\0'}}, {{k, '\0'}}}, 1.0,
                {{from}, {weight, false, weight_share}}, {operation.results.front().tensor});
}

}  // namespace

/// The cached vectors of tokens: the low-rank vector [b, s, r] and the shared part of the keys [b, s, p].
void latent_cache(OperationBuilder& builder) {
    if (!builder.expect_operands({3, 3}) || !expect_inference(builder)) return;
    builder.letter(0, "bsr");
    builder.letter(1, "bsp");
    if (!builder.check_letters()) return;
    std::vector<DimId> shape = builder.tensor(0).shape;
    shape[2] = builder.sum(shape[2], builder.tensor(1).shape[2]);
    // Every tensor-parallel rank holds the whole cache, for its own heads.
    builder.operation().whole = "srp";
    builder.operation().context_split = "s";
    builder.add_appended(std::move(shape), "bsR");
}

/// Converts queries [b, s, heads·(nope + rope)] to [b, s, heads·(rank + rope)], which match the cached
/// vectors; the weight is that for keys and values, [rank, heads·(nope + value)].
void latent_query(OperationBuilder& builder) {
    if (!builder.expect_operands({3, 2}) || !expect_inference(builder)) return;
    builder.letter(0, "bso");
    builder.letter(1, "rO");
    const DimId heads = builder.option("heads");
    const DimId nope = builder.option("nope");
    const DimId rope = builder.option("rope");
    const DimId value = builder.option("value");
    if (builder.failed()) return;
    const double n = builder.extent(heads);
    const double of_key = builder.extent(nope);
    const double of_value = builder.extent(value);
    if (!expect_width(builder, 0, n * (of_key + builder.extent(rope)), "heads (nope + rope)")) return;
    if (!expect_width(builder, 1, n * (of_key + of_value), "heads (nope + value)")) return;
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const DimId rank = builder.tensor(1).shape[0];
    builder.add_result(0, {shape[0], shape[1], builder.product_of_sum(heads, rank, rope)}, "bsO");
    if (builder.failed()) return;
    head_product(builder, heads, rank, nope, of_key / (of_key + of_value));
}

/// Fused attention of such queries over the cache, [b, s, heads·rank]. All heads read the same vectors, once.
/// FLOPs: 2·heads·context·(width of the cache + rank) a token; where an indexer chooses what is attended to,
/// `selected` tokens at most (see token_index).
void latent_cached_attention(OperationBuilder& builder) {
    if (!builder.expect_operands({3, 3}) || !expect_inference(builder)) return;
    builder.letter(0, "bso");
    builder.letter(1, "bsr");
    const DimId heads = builder.option("heads");
    const DimId rank = builder.option("rank");
    if (builder.failed()) return;
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const DimId width = builder.tensor(1).shape[2];
    const TensorId q = builder.id(0);
    if (builder.tensor(1).role != TensorRole::cache) {
        return builder.fail(
            fmt::format("'{}' is not a part of the cache (latent_cache makes it)", builder.tensor(1).name));
    }
    if (!expect_width(builder, 0, builder.extent(heads) * builder.extent(width),
                      "heads x width of the cache"))
        return;
    const TensorId y = builder.add_result(0, {shape[0], shape[1], builder.product(heads, rank)}, "bsO");
    if (builder.failed()) return;
    const std::string seen = builder.seen_in_cache();
    const TensorId cache = builder.read_cache(shape[0], width, "btr", seen);
    if (builder.failed()) return;
    Operation& operation = builder.operation();
    operation.whole = "srt";
    operation.indivisible = {{heads, 'o'}};
    Piece& kernel = operation.forward;
    kernel.op_class = graph::OpClass::attention;
    kernel.gemm = {{builder.factor('b'), builder.factor('s')},
                   {{heads, 'o'}},
                   {{builder.dimension(seen), 't'}},
                   {{rank, '\0'}}};
    // The product with values is the unit; the one with keys is wider.
    kernel.model_factor = kernel.executed_factor = builder.extent(width) / builder.extent(rank) + 1.0;
    kernel.reads = {{q}, {cache}};
    kernel.writes = {{y}};
    // In AIConfigurator's tables of replayed kernels (095f58a, systems/data, generation_mla of TensorRT-LLM),
    // 11 to 14 us at least, the time of five or six empty kernels: it is split along the context, and the
    // parts are joined. Two of these are the norm and the rotation of what is cached, which engines run
    // beside others.
    kernel.kernels = kernel.eager_kernels = 4;
}

/// Converts the result of attention over cached vectors, [b, s, heads·rank], to values, [b, s, heads·value].
void latent_values(OperationBuilder& builder) {
    if (!builder.expect_operands({3, 2}) || !expect_inference(builder)) return;
    builder.letter(0, "bso");
    builder.letter(1, "rO");
    const DimId heads = builder.option("heads");
    const DimId nope = builder.option("nope");
    const DimId value = builder.option("value");
    if (builder.failed()) return;
    const DimId rank = builder.tensor(1).shape[0];
    const double n = builder.extent(heads);
    const double of_key = builder.extent(nope);
    const double of_value = builder.extent(value);
    if (!expect_width(builder, 0, n * builder.extent(rank), "heads x rank")) return;
    if (!expect_width(builder, 1, n * (of_key + of_value), "heads (nope + value)")) return;
    const std::vector<DimId> shape = builder.tensor(0).shape;
    builder.add_result(0, {shape[0], shape[1], builder.product(heads, value)}, "bsO");
    if (builder.failed()) return;
    head_product(builder, heads, value, rank, of_value / (of_key + of_value));
}

}  // namespace dse::frontend::kinds
