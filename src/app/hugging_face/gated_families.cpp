#include <algorithm>

#include <fmt/format.h>

#include "app/hugging_face/family.hpp"

namespace dse::app {
namespace {

/// Llama, Mistral, Phi-3, Granite, SmolLM3, ERNIE 4.5, Seed-OSS: RMSNorm, rotary positions, a gated MLP.
/// Granite's multipliers are no work to speak of, and neither is rotation, which every fourth layer of
/// SmolLM3 lacks.
ImportedModel llama_like(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "llama"};
    const bool is_tied = config.model_type() == "smollm3" || config.model_type() == "ernie4_5";
    const DecoderSizes sizes = decoder_sizes(config, is_tied ? UnstatedTie::tied : UnstatedTie::apart);
    const std::int64_t f = config.size("intermediate_size");
    const bool all_biased = config.flag("use_bias", false);
    const bool biased = config.flag("attention_bias", all_biased);
    const bool out_biased = config.flag("attention_out_bias", biased);
    const bool mlp_biased = config.flag("mlp_bias", all_biased);
    const bool uses_windows = config.flag("use_sliding_window", true);
    Windows windows = windows_of_all(config, sizes.layers);
    const auto windowed = config.layers_of_type(sizes.layers, "sliding_attention", {"full_attention"});
    if (windowed && uses_windows) require_length(config, {windows.tokens, *windowed});
    if (windowed && number_of(windows.of_layers) > 0) windows.of_layers = *windowed;
    if (!uses_windows) windows.of_layers.assign(windows.of_layers.size(), false);
    for (const char* unused :
         {"embedding_multiplier", "residual_multiplier", "attention_multiplier", "logits_scaling",
          "no_rope_layers", "no_rope_layer_interval", "max_window_layers"})
        config.find(unused);
    note_activation(config, model);
    model.symbols = dense_symbols(sizes, f);
    model.parameters =
        sizes.tables() + sizes.h +
        sizes.layers * (sizes.attention() + 3 * sizes.h * f + 2 * sizes.h + (biased ? sizes.qkv() : 0) +
                        (out_biased ? sizes.h : 0) + (mlp_biased ? 2 * f + sizes.h : 0));
    if (!sizes.tied && !biased && number_of(windows.of_layers) == 0) {
        model.blocks = {{"embedding"}, {"decoder_layer", sizes.layers}, {"head"}};
    } else {
        model.template_name = "decoder";
        model.blocks =
            stack_of(biased ? "biased_layer" : "full_layer", biased ? "biased_window_layer" : "window_layer",
                     windows, sizes.tied ? "tied_head" : "head");
    }
    if (out_biased) model.left_out.emplace_back("biases of attention's output");
    if (mlp_biased) model.left_out.emplace_back("biases of the MLP");
    return model;
}

ImportedModel qwen2(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "decoder"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t f = config.size("intermediate_size");
    const bool uses_windows = config.flag("use_sliding_window", false);
    const std::int64_t first = config.count("max_window_layers", sizes.layers);
    Windows windows = windows_by_type(config, sizes.layers, 0);
    if (!uses_windows) windows.of_layers.assign(windows.of_layers.size(), false);
    if (uses_windows && windows.tokens > 0 && number_of(windows.of_layers) == 0)
        std::fill(windows.of_layers.begin() + std::min(first, sizes.layers), windows.of_layers.end(), true);
    note_activation(config, model);
    config.flag("attention_bias", true);
    note_further_tokens(config.count("num_nextn_predict_layers", 0), "layer", model);
    model.symbols = dense_symbols(sizes, f);
    model.parameters = sizes.tables() + sizes.h +
                       sizes.layers * (sizes.attention() + sizes.qkv() + 3 * sizes.h * f + 2 * sizes.h);
    model.blocks =
        stack_of("biased_layer", "biased_window_layer", windows, sizes.tied ? "tied_head" : "head");
    return model;
}

ImportedModel qwen3(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "qwen3"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t f = config.size("intermediate_size");
    config.find("max_window_layers");
    config.find("layer_types");
    if (config.flag("use_sliding_window", false))
        model.left_out.emplace_back("the window of its upper layers (here all layers attend to all tokens)");
    config.find("sliding_window");
    note_biases(config, model);
    note_activation(config, model);
    model.symbols = dense_symbols(sizes, f);
    model.parameters = sizes.tables() + sizes.h +
                       sizes.layers * (sizes.attention() + 2 * sizes.d + 3 * sizes.h * f + 2 * sizes.h);
    model.blocks = {{"embedding"}, {"decoder_layer", sizes.layers}, {sizes.tied ? "tied_head" : "head"}};
    return model;
}

/// Norms behind attention and MLP, and of queries and keys: over all heads in OLMo 2 and 3, of every head in
/// EXAONE 4.
ImportedModel norm_after(ConfigFile& config, std::string name, bool norm_per_head) {
    ImportedModel model{.name = std::move(name), .template_name = "decoder"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t f = config.size("intermediate_size");
    // OLMo 3 and EXAONE 4: every fourth layer sees all tokens, unless `layer_types` says otherwise.
    const Windows windows = windows_by_type(config, sizes.layers, 4);
    note_biases(config, model);
    note_activation(config, model);
    model.symbols = dense_symbols(sizes, f);
    const std::int64_t norms = 2 * sizes.h + (norm_per_head ? 2 * sizes.d : (sizes.n + sizes.k) * sizes.d);
    model.parameters =
        sizes.tables() + sizes.h + sizes.layers * (sizes.attention() + 3 * sizes.h * f + norms);
    model.blocks =
        stack_of("norm_after_layer", "norm_after_window_layer", windows, sizes.tied ? "tied_head" : "head");
    if (!norm_per_head)
        model.left_out.emplace_back("norms of queries and keys over all heads (here one per head)");
    return model;
}

ImportedModel olmo(ConfigFile& config, std::string name) {
    return norm_after(config, std::move(name), false);
}

ImportedModel exaone4(ConfigFile& config, std::string name) {
    return norm_after(config, std::move(name), true);
}

/// GLM-4-0414 and GLM-4.1V: norms before and after each part, as in Gemma 2, and biases of queries, keys,
/// values.
ImportedModel glm4(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "decoder"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t f = config.size("intermediate_size");
    const bool biased = config.flag("attention_bias", true);
    note_activation(config, model);
    model.symbols = dense_symbols(sizes, f);
    model.parameters =
        sizes.tables() + sizes.h +
        sizes.layers * (sizes.attention() + (biased ? sizes.qkv() : 0) + 3 * sizes.h * f + 4 * sizes.h);
    model.blocks = {{"embedding"}, {"sandwich_layer", sizes.layers}, {sizes.tied ? "tied_head" : "head"}};
    if (biased) model.left_out.emplace_back("biases of queries, keys and values");
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
    model.blocks = stack_of(layer, window_layer, windows, sizes.tied ? "tied_head" : "head");
    note_biases(config, model);
    model.left_out.emplace_back("its gated GELU (replaced by a gated SiLU of the same shape)");
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

/// Sizes of Gemma 4 that differ between layers with and without a window.
struct Gemma4Attention {
    std::int64_t k{0};
    std::int64_t d{0};
    bool joined{false};  ///< keys are also values

    [[nodiscard]] std::int64_t parameters(std::int64_t h, std::int64_t n) const {
        return h * (n + (joined ? 1 : 2) * k) * d + n * d * h + 2 * d;
    }
};

/// Embeddings of every layer, and layers that read the keys and values of another one: E2B and E4B.
void refuse_small_gemma4(ConfigFile& config) {
    constexpr const char* nearest =
        "and the template gemma4 has none (nearest: gemma3, or Gemma 4 31B and 26B-A4B, which do without)";
    const Json* stated = config.find("hidden_size_per_layer_input");
    if (stated == nullptr || *stated != 0)
        refuse(config,
               fmt::format("every layer has embeddings of its own (hidden_size_per_layer_input{}), {}",
                           stated == nullptr ? ", 256 where it is not stated" : "", nearest));
    if (config.count("num_kv_shared_layers", 0) > 0)
        refuse(config, fmt::format("layers share keys and values (num_kv_shared_layers), {}", nearest));
}

/// Gemma 4 31B and 26B-A4B.
ImportedModel gemma4(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "gemma4"};
    refuse_small_gemma4(config);
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::tied);
    const std::int64_t f = config.size("intermediate_size");
    const Windows windows = windows_by_type(config, sizes.layers, 6);
    if (windows.tokens == 0 && config.find("layer_types") == nullptr)
        refuse(config,
               "sliding_window does not say how long the window of its layers is: five of six have one, "
               "and heads of another width, unless layer_types says otherwise");
    const bool joined = config.flag("attention_k_eq_v", false);
    const std::int64_t global_k = config.size("num_global_key_value_heads", sizes.k);
    const Gemma4Attention local{sizes.k, sizes.d};
    const Gemma4Attention global{joined ? global_k : sizes.k, config.size("global_head_dim", 512), joined};
    if (!sizes.tied)
        refuse(config, "head and embedding are two tables, and those of the template gemma4 are one");
    if (sizes.n % global.k != 0)
        refuse(config, fmt::format("{} heads do not fit {} key-value heads (num_global_key_value_heads)",
                                   sizes.n, global.k));
    for (const char* unused :
         {"hidden_act", "hidden_activation", "final_logit_softcapping", "use_bidirectional_attention",
          "vocab_size_per_layer_input", "use_double_wide_mlp", "num_experts", "top_k_experts",
          "moe_intermediate_size"})
        config.find(unused);
    note_biases(config, model);
    model.left_out.emplace_back("its gated GELU (replaced by a gated SiLU of the same shape)");
    const bool mixes = config.flag("enable_moe_block", false);
    Symbols mixture;
    std::int64_t in_mixture = 0;
    if (mixes) {
        const std::int64_t experts = config.size("num_experts");
        const std::int64_t fe = config.size("moe_intermediate_size");
        mixture = {{"fe", fe}, {"experts", experts}, {"top_k", config.size("top_k_experts")}};
        in_mixture = (sizes.h + 1) * experts + experts * 3 * sizes.h * fe + 4 * sizes.h;
        model.left_out.emplace_back("the scale of each expert's weight (one number)");
    }
    const std::int64_t windowed = number_of(windows.of_layers);
    model.symbols = {{"layers", sizes.layers}, {"h", sizes.h}, {"n", sizes.n},
                     {"k", local.k},           {"d", local.d}, {"gk", global.k},
                     {"gd", global.d},         {"f", f},       {"vocab", sizes.vocab}};
    model.parameters = sizes.tables() + sizes.h +
                       sizes.layers * (4 * sizes.h + 3 * sizes.h * f + in_mixture) +
                       windowed * local.parameters(sizes.h, sizes.n) +
                       (sizes.layers - windowed) * global.parameters(sizes.h, sizes.n);
    const std::string prefix = mixes ? "moe_" : "";
    ImportedBlock window{prefix + "window_layer", 1, {{"window", windows.tokens}}};
    ImportedBlock full{prefix + (joined ? "full_layer" : "separate_full_layer")};
    for (ImportedBlock* block : {&window, &full})
        block->symbols.insert(block->symbols.end(), mixture.begin(), mixture.end());
    model.blocks = {{"embedding"}};
    add_in_order(windows.of_layers, window, full, model.blocks);
    model.blocks.push_back({"tied_head"});
    return model;
}

}  // namespace

std::span<const ModelFamily> gated_families() {
    static constexpr ModelFamily families[] = {
        {"llama", &llama_like},
        {"mistral", &llama_like},
        {"phi3", &llama_like},
        {"granite", &llama_like},
        {"smollm3", &llama_like},
        {"olmo2", &olmo},
        {"qwen2", &qwen2},
        {"qwen3", &qwen3},
        {"gemma", &gemma},
        {"gemma2", &gemma2},
        {"gemma3", &gemma3},
        {"gemma3_text", &gemma3},
        {"gemma4", &gemma4},
        {"gemma4_text", &gemma4},
        {"ministral3", &llama_like},
        {"helium", &llama_like},
        {"cwm", &llama_like},
        {"seed_oss", &llama_like},
        {"ernie4_5", &llama_like},
        {"qwen2_vl", &qwen2},
        {"qwen2_vl_text", &qwen2},
        {"qwen2_5_vl", &qwen2},
        {"qwen2_5_vl_text", &qwen2},
        {"mimo", &qwen2},
        {"qwen3_vl_text", &qwen3},
        {"hunyuan_v1_dense", &qwen3},
        {"olmo3", &olmo},
        {"exaone4", &exaone4},
        {"glm4", &glm4},
        {"glm4v_text", &glm4},
    };
    return families;
}

}  // namespace dse::app
