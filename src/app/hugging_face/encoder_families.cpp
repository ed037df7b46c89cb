#include <algorithm>

#include <fmt/format.h>

#include "app/hugging_face/family.hpp"
#include "dse/config/source_text.hpp"

namespace dse::app {
namespace {

DecoderSizes encoder_sizes(ConfigFile& config) {
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::tied);
    if (!sizes.tied)
        refuse(config, "head and embedding are two tables, and those of the template encoder are one");
    if (sizes.n * sizes.d != sizes.h || sizes.k != sizes.n)
        refuse(config, fmt::format("{} heads of {} are not hidden_size {}", sizes.n, sizes.d, sizes.h));
    return sizes;
}

Symbols encoder_symbols(const DecoderSizes& sizes, std::int64_t f) {
    return {{"layers", sizes.layers}, {"h", sizes.h}, {"n", sizes.n},
            {"d", sizes.d},           {"f", f},       {"vocab", sizes.vocab}};
}

/// BERT, RoBERTa and XLM-R.
ImportedModel bert(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "encoder"};
    if (config.flag("is_decoder", false) || config.flag("add_cross_attention", false))
        refuse(config, "is a decoder (is_decoder, add_cross_attention), and the template encoder has none");
    const DecoderSizes sizes = encoder_sizes(config);
    const std::int64_t h = sizes.h;
    const std::int64_t f = config.size("intermediate_size");
    const std::int64_t positions = config.size("max_position_embeddings", 512);
    const std::int64_t types = config.size("type_vocab_size", 2);
    if (const Json* kind = config.find("position_embedding_type"); kind != nullptr && *kind != "absolute")
        refuse(config, fmt::format("its positions are {}, and those of the template encoder are a table",
                                   config::excerpt(kind->dump())));
    note_activation(config, model);
    for (const char* unused : {"attention_probs_dropout_prob", "gradient_checkpointing", "directionality",
                               "pooler_fc_size", "pooler_num_attention_heads", "pooler_num_fc_layers",
                               "pooler_size_per_head", "pooler_type", "hidden_act"})
        config.find(unused);
    model.symbols = encoder_symbols(sizes, f);
    model.parameters = (sizes.vocab + positions + types) * h + 2 * h +
                       sizes.layers * (4 * h * h + 4 * h + 2 * h * f + f + h + 4 * h) + h * h + 3 * h +
                       sizes.vocab;
    model.blocks = {{"embedding", 1, {{"positions", positions}, {"types", types}}},
                    {"norm_after_layer", sizes.layers},
                    {"masked_token_head"}};
    return model;
}

ImportedModel modernbert(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "encoder"};
    const DecoderSizes sizes = encoder_sizes(config);
    const std::int64_t h = sizes.h;
    const std::int64_t f = config.size("intermediate_size");
    const std::int64_t window = config.size("local_attention", 128);
    const std::int64_t interval = config.size("global_attn_every_n_layers", 3);
    for (const char* flag : {"attention_bias", "mlp_bias", "norm_bias", "classifier_bias"})
        if (config.flag(flag, false))
            refuse(config, fmt::format("it has biases ({}), and ModernBERT's layers of the template encoder "
                                       "have none",
                                       flag));
    const bool biased = config.flag("decoder_bias", true);
    if (!biased) model.left_out.emplace_back("the absence of a bias of the head (decoder_bias)");
    for (const char* unused :
         {"classifier_activation", "classifier_pooling", "cls_token_id", "deterministic_flash_attn",
          "global_rope_theta", "gradient_checkpointing", "hidden_activation", "initializer_cutoff_factor",
          "local_rope_theta", "position_embedding_type", "reference_compile", "repad_logits_with_grad",
          "sparse_pred_ignore_index", "sparse_prediction", "hidden_act"})
        config.find(unused);
    std::vector<bool> windowed(static_cast<std::size_t>(sizes.layers));
    for (std::int64_t layer = 0; layer < sizes.layers; ++layer)
        windowed[static_cast<std::size_t>(layer)] = layer % interval != 0;
    if (const auto named = config.layers_of_type(sizes.layers, "sliding_attention", {"full_attention"}))
        windowed = *named;
    if (windowed.front())
        refuse(config, "its first layer has a window, and that of the template encoder has none");
    model.symbols = encoder_symbols(sizes, f);
    model.parameters = sizes.vocab * h + h + sizes.layers * (4 * h * h + 3 * h * f + 2 * h) - h + h + h * h +
                       h + (biased ? sizes.vocab : 0);
    model.blocks = {{"plain_embedding"}, {"first_layer"}};
    windowed.erase(windowed.begin());
    add_in_order(windowed, {"window_layer", 1, {{"window", window}}}, {"full_layer"}, model.blocks);
    model.blocks.push_back({"plain_masked_token_head"});
    model.left_out.emplace_back("its LayerNorm (here RMSNorm) and its gated GELU (here a gated SiLU)");
    return model;
}

}  // namespace

std::span<const ModelFamily> encoder_families() {
    static constexpr ModelFamily families[] = {
        {"bert", &bert}, {"roberta", &bert}, {"xlm-roberta", &bert}, {"modernbert", &modernbert}};
    return families;
}

}  // namespace dse::app
