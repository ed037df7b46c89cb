#include <fmt/format.h>

#include "app/hugging_face/family.hpp"

namespace dse::app {
namespace {

/// Parameters of a layer of `gelu_layer`: products with biases, two LayerNorms.
std::int64_t gelu_layer(const DecoderSizes& sizes, std::int64_t f) {
    const std::int64_t h = sizes.h;
    return sizes.attention() + sizes.qkv() + h + 2 * h * f + f + h + 4 * h;
}

/// GPT-2 and OPT: learned positions, a head tied to the embedding.
/// \param positions  rows of the table of positions
ImportedModel with_positions(std::string name, const DecoderSizes& sizes, std::int64_t f,
                             std::int64_t positions) {
    ImportedModel model{.name = std::move(name), .template_name = "decoder"};
    model.symbols = dense_symbols(sizes, f);
    model.parameters =
        sizes.tables() + positions * sizes.h + 2 * sizes.h + sizes.layers * gelu_layer(sizes, f);
    model.blocks = {{"positioned_embedding", 1, {{"positions", positions}}},
                    {"gelu_layer", sizes.layers},
                    {sizes.tied ? "tied_layer_norm_head" : "layer_norm_head"}};
    return model;
}

ImportedModel gpt2(ConfigFile& config, std::string name) {
    DecoderSizes sizes;
    sizes.layers = config.size("n_layer");
    sizes.h = config.size("n_embd");
    sizes.n = config.size("n_head");
    sizes.k = sizes.n;
    sizes.vocab = config.size("vocab_size");
    sizes.tied = config.flag("tie_word_embeddings", true);
    if (sizes.h % sizes.n != 0)
        refuse(config, fmt::format("{} heads (n_head) do not fit n_embd {}", sizes.n, sizes.h));
    sizes.d = sizes.h / sizes.n;
    config.find("activation_function");
    config.find("n_ctx");
    return with_positions(std::move(name), sizes, config.size("n_inner", 4 * sizes.h),
                          config.size("n_positions", 1024));
}

ImportedModel opt(ConfigFile& config, std::string name) {
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::tied);
    if (config.size("word_embed_proj_dim", sizes.h) != sizes.h)
        refuse(config,
               "its embedding is narrower than its layers (word_embed_proj_dim), and the template decoder "
               "has no such embedding");
    if (!config.flag("do_layer_norm_before", true))
        refuse(config,
               "its norms follow attention and MLP (do_layer_norm_before: false), and the template decoder "
               "has no such layer with biases");
    for (const char* unused :
         {"activation_function", "_remove_final_layer_norm", "enable_bias", "layer_norm_elementwise_affine"})
        config.find(unused);
    // Two rows of the table come before the first position (transformers, OPTLearnedPositionalEmbedding).
    return with_positions(std::move(name), sizes, config.size("ffn_dim"),
                          config.size("max_position_embeddings") + 2);
}

ImportedModel starcoder2(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "decoder"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::tied);
    const std::int64_t f = config.size("intermediate_size");
    const Windows windows = windows_of_all(config, sizes.layers);
    if (!config.flag("use_bias", true))
        refuse(config, "it has no biases (use_bias: false), and the template decoder has no such layer");
    for (const char* unused : {"hidden_act", "mlp_type", "norm_type", "layer_types"}) config.find(unused);
    model.symbols = dense_symbols(sizes, f);
    model.parameters = sizes.tables() + 2 * sizes.h + sizes.layers * gelu_layer(sizes, f);
    model.blocks = stack_of("gelu_rotary_layer", "gelu_rotary_window_layer", windows,
                            sizes.tied ? "tied_layer_norm_head" : "layer_norm_head");
    return model;
}

ImportedModel gpt_neox(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "decoder"};
    if (!config.flag("use_parallel_residual", true))
        refuse(config,
               "attention and MLP follow one another (use_parallel_residual: false), and the template "
               "decoder has no such layer with biases");
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t f = config.size("intermediate_size");
    const std::int64_t h = sizes.h;
    const bool biased = config.flag("attention_bias", true);
    config.find("hidden_act");
    model.symbols = dense_symbols(sizes, f);
    model.parameters =
        sizes.tables() + 2 * h +
        sizes.layers * (sizes.attention() + (biased ? sizes.qkv() + h : 0) + 2 * h * f + f + h + 4 * h);
    model.blocks = {{"embedding"}, {"parallel_layer", sizes.layers}, {"layer_norm_head"}};
    model.left_out.emplace_back("biases of attention and MLP");
    note_tie(sizes.tied, model);
    return model;
}

ImportedModel phi(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "decoder"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t f = config.size("intermediate_size", 4 * sizes.h);
    const std::int64_t h = sizes.h;
    if (config.flag("qk_layernorm", false)) model.left_out.emplace_back("norms of queries and keys");
    config.find("hidden_act");
    model.symbols = dense_symbols(sizes, f);
    model.parameters = sizes.tables() + sizes.vocab + 2 * h +
                       sizes.layers * (sizes.attention() + sizes.qkv() + h + 2 * h * f + f + h + 2 * h);
    model.blocks = {{"embedding"}, {"parallel_one_norm_layer", sizes.layers}, {"layer_norm_biased_head"}};
    model.left_out.emplace_back("biases of attention and MLP");
    note_tie(sizes.tied, model);
    return model;
}

}  // namespace

std::span<const ModelFamily> gelu_families() {
    static constexpr ModelFamily families[] = {
        {"gpt2", &gpt2}, {"opt", &opt}, {"starcoder2", &starcoder2}, {"gpt_neox", &gpt_neox}, {"phi", &phi},
    };
    return families;
}

}  // namespace dse::app
