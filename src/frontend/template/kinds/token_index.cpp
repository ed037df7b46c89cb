#include <fmt/format.h>

#include "context.hpp"
#include "kinds.hpp"
#include "latent.hpp"

namespace dse::frontend::kinds {

/// Which of the tokens before it each token attends to, as DeepSeek-V3.2's sparse attention chooses them:
/// the products of a few small queries [b, s, heads·d] with one key [b, s, d] a token, weighted over heads
/// [b, s, heads], and the largest of them. Its result are the queries q of the attention that follows, which
/// reads no more than `selected` tokens for each. FLOPs: 2·heads·d a pair of tokens; the keys are cached.
/// With a `ratio`, keys are those of compressed tokens (compress_tokens), d//ratio numbers a token. Every
/// tensor-parallel rank does all of it. Inference alone. Source: DeepSeek-AI 2025, DeepSeek-V3.2-Exp,
/// section 2.1.
void token_index(OperationBuilder& builder) {
    if (!builder.expect_operands({3, 3, 3, 3})) return;
    if (!is_inference(builder.mode()))
        return builder.fail("has no backward pass (write it in a group `when: mode != 'training'`)");
    builder.letter(0, "bso");
    builder.letter(1, "bsi");
    builder.letter(2, "bsn");
    builder.letter(3, "bsr");
    if (!builder.check_letters()) return;
    const DimId heads = builder.option("heads");
    const DimId ratio = builder.option("ratio", "1");
    if (builder.failed()) return;
    const std::vector<DimId> shape = builder.tensor(0).shape;
    const DimId of_token = builder.tensor(3).shape[2];
    const DimId width = builder.product(of_token, ratio);
    if (!expect_width(builder, 2, builder.extent(heads), "heads")) return;
    if (!expect_width(builder, 1, builder.extent(heads) * builder.extent(width), "heads x width of a key"))
        return;
    const bool decodes = builder.mode() == graph::Mode::decode;
    builder.cache_before(3, "bsr", of_token);
    const TensorId queries = builder.id(1);
    const TensorId weights = builder.id(2);
    const TensorId keys = builder.id(3);
    builder.add_result(0, shape, "bso");
    if (builder.failed()) return;
    Operation& operation = builder.operation();
    operation.whole = "sinrt";
    Piece& kernel = operation.forward;
    kernel.op_class = graph::OpClass::attention;
    const DimId all = decodes ? builder.dimension("context") : shape[1];
    const bool compresses = builder.line().option("ratio") != nullptr;
    const DimId seen = compresses ? builder.dimension(fmt::format("max(1, ({})//({}))", builder.text_of(all),
                                                                  builder.text_of(ratio)))
                                  : all;
    kernel.gemm = {{builder.factor('b')},
                   {builder.factor('s'), {heads, '\0'}},
                   {{seen, decodes && !compresses ? 't' : '\0'}},
                   {{width, '\0'}}};
    kernel.model_factor = kernel.executed_factor = decodes ? 1.0 : 0.5;
    kernel.reads = {
        {queries}, {weights}, decodes ? Use{builder.read_cache(shape[0], of_token, "btr")} : Use{keys}};
    // Scores, the largest of them, and where these lie in the cache; before that, queries and keys are each
    // given their positions, transformed (Hadamard) and cast (SGLang 0.5.9, nsa_indexer.py).
    kernel.kernels = kernel.eager_kernels = 9;
}

}  // namespace dse::frontend::kinds
