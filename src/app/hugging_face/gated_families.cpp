#include <algorithm>

#include <fmt/format.h>

#include "app/hugging_face/family.hpp"

namespace dse::app {
namespace {

/// Llama, Mistral, Phi-3, Granite, SmolLM3: RMSNorm, rotary positions, a gated MLP. Granite's multipliers are
/// no work to speak of, and neither is rotation, which every fourth layer of SmolLM3 lacks.
ImportedModel llama_like(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "llama"};
    const auto unstated = config.model_type() == "smollm3" ? UnstatedTie::tied : UnstatedTie::apart;
    const DecoderSizes sizes = decoder_sizes(config, unstated);
    const std::int64_t f = config.size("intermediate_size");
    const bool biased = config.flag("attention_bias", false);
    const bool mlp_biased = config.flag("mlp_bias", false);
    const bool uses_windows = config.flag("use_sliding_window", true);
    Windows windows = windows_of_all(config, sizes.layers);
    if (!uses_windows) windows.layers = 0;
    for (const char* unused :
         {"embedding_multiplier", "residual_multiplier", "attention_multiplier", "logits_scaling",
          "no_rope_layers", "no_rope_layer_interval", "max_window_layers", "layer_types"})
        config.find(unused);
    note_activation(config, model);
    model.symbols = dense_symbols(sizes, f);
    model.parameters =
        sizes.tables() + sizes.h +
        sizes.layers * (sizes.attention() + 3 * sizes.h * f + 2 * sizes.h +
                        (biased ? sizes.qkv() + sizes.h : 0) + (mlp_biased ? 2 * f + sizes.h : 0));
    if (!sizes.tied && !biased && windows.layers == 0) {
        model.blocks = {{"embedding"}, {"decoder_layer", sizes.layers}, {"head"}};
    } else {
        model.template_name = "decoder";
        model.blocks =
            stack_of(biased ? "biased_layer" : "full_layer", biased ? "biased_window_layer" : "window_layer",
                     sizes, windows, sizes.tied ? "tied_head" : "head");
    }
    if (biased) model.left_out.push_back("biases of attention's output");
    if (mlp_biased) model.left_out.push_back("biases of the MLP");
    return model;
}

ImportedModel qwen2(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "decoder"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t f = config.size("intermediate_size");
    const bool uses_windows = config.flag("use_sliding_window", false);
    const std::int64_t first = config.size("max_window_layers", sizes.layers);
    Windows windows = windows_by_type(config, sizes.layers, 0);
    if (uses_windows && windows.layers == 0) windows.layers = std::max<std::int64_t>(sizes.layers - first, 0);
    if (!uses_windows) windows.layers = 0;
    note_activation(config, model);
    model.symbols = dense_symbols(sizes, f);
    model.parameters = sizes.tables() + sizes.h +
                       sizes.layers * (sizes.attention() + sizes.qkv() + 3 * sizes.h * f + 2 * sizes.h);
    model.blocks =
        stack_of("biased_layer", "biased_window_layer", sizes, windows, sizes.tied ? "tied_head" : "head");
    return model;
}

ImportedModel qwen3(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "qwen3"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t f = config.size("intermediate_size");
    config.find("max_window_layers");
    config.find("layer_types");
    if (config.flag("use_sliding_window", false))
        model.left_out.push_back("the window of its upper layers (here all layers attend to all tokens)");
    config.find("sliding_window");
    note_biases(config, model);
    note_activation(config, model);
    model.symbols = dense_symbols(sizes, f);
    model.parameters = sizes.tables() + sizes.h +
                       sizes.layers * (sizes.attention() + 2 * sizes.d + 3 * sizes.h * f + 2 * sizes.h);
    model.blocks = {{"embedding"}, {"decoder_layer", sizes.layers}, {sizes.tied ? "tied_head" : "head"}};
    return model;
}

/// OLMo 2: norms behind attention and MLP, and over queries and keys as a whole.
ImportedModel olmo2(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "decoder"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t f = config.size("intermediate_size");
    note_biases(config, model);
    note_activation(config, model);
    model.symbols = dense_symbols(sizes, f);
    const std::int64_t norms = 2 * sizes.h + (sizes.n + sizes.k) * sizes.d;
    model.parameters =
        sizes.tables() + sizes.h + sizes.layers * (sizes.attention() + 3 * sizes.h * f + norms);
    model.blocks = {{"embedding"}, {"norm_after_layer", sizes.layers}, {sizes.tied ? "tied_head" : "head"}};
    model.left_out.push_back("norms of queries and keys over all heads (here one per head)");
    return model;
}

/// \param norms  norms per layer: two in Gemma, four in Gemma 2 and 3
ImportedModel gemma_like(ConfigFile& config, std::string name, std::int64_t norms, std::int64_t pattern,
                         const std::string& layer, bool normed_heads) {
    ImportedModel model{.name = std::move(name), .template_name = "decoder"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::tied);
    const std::int64_t f = config.size("intermediate_size");
    const Windows windows = windows_by_type(config, sizes.layers, pattern);
    for (const char* unused : {"hidden_act", "hidden_activation", "attn_logit_softcapping",
                               "final_logit_softcapping", "use_bidirectional_attention"})
        config.find(unused);
    model.symbols = dense_symbols(sizes, f);
    model.parameters = sizes.tables() + sizes.h +
                       sizes.layers * (sizes.attention() + 3 * sizes.h * f + norms * sizes.h +
                                       (normed_heads ? 2 * sizes.d : 0));
    std::string window_layer = layer == "full_layer" ? "window_layer" : layer;
    if (const std::size_t end = window_layer.rfind("_layer"); layer != "full_layer")
        window_layer.insert(end, "_window");
    model.blocks = stack_of(layer, window_layer, sizes, windows, sizes.tied ? "tied_head" : "head");
    note_biases(config, model);
    model.left_out.push_back("its gated GELU (replaced by a gated SiLU of the same shape)");
    return model;
}

ImportedModel gemma(ConfigFile& config, std::string name) {
    return gemma_like(config, std::move(name), 2, 0, "full_layer", false);
}

ImportedModel gemma2(ConfigFile& config, std::string name) {
    return gemma_like(config, std::move(name), 4, 2, "sandwich_layer", false);
}

ImportedModel gemma3(ConfigFile& config, std::string name) {
    return gemma_like(config, std::move(name), 4, 6, "normed_sandwich_layer", true);
}

}  // namespace

std::span<const ModelFamily> gated_families() {
    static constexpr ModelFamily families[] = {
        {"llama", &llama_like},   {"mistral", &llama_like}, {"phi3", &llama_like}, {"granite", &llama_like},
        {"smollm3", &llama_like}, {"olmo2", &olmo2},        {"qwen2", &qwen2},     {"qwen3", &qwen3},
        {"gemma", &gemma},        {"gemma2", &gemma2},      {"gemma3", &gemma3},   {"gemma3_text", &gemma3},
    };
    return families;
}

}  // namespace dse::app
