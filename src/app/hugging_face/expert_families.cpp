#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "app/hugging_face/family.hpp"

namespace dse::app {
namespace {

/// Number of routed experts: transformers 5 writes `num_local_experts` where it wrote `num_experts` before.
std::int64_t experts_of(ConfigFile& config) {
    const char* const field =
        config.find("num_experts") == nullptr && config.find("num_local_experts") != nullptr
            ? "num_local_experts"
            : "num_experts";
    return config.size(field);
}

ImportedModel qwen3_moe(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "qwen3_moe"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t f = config.size("moe_intermediate_size");
    const std::int64_t experts = experts_of(config);
    const std::int64_t top = config.size("num_experts_per_tok");
    const Json* dense = config.find("mlp_only_layers");
    if (config.size("decoder_sparse_step", 1) != 1 || (dense != nullptr && !dense->empty()))
        refuse(config,
               "some of its layers are dense, and the template qwen3_moe has none (decoder_sparse_step, "
               "mlp_only_layers)");
    for (const char* unused : {"intermediate_size", "norm_topk_prob", "max_window_layers", "sliding_window",
                               "shared_expert_intermediate_size", "qkv_bias", "use_qk_norm"})
        config.find(unused);
    if (config.flag("use_sliding_window", false))
        model.left_out.emplace_back("the window of its upper layers (here all layers attend to all tokens)");
    note_biases(config, model);
    note_tie(sizes.tied, model);
    note_activation(config, model);
    model.symbols = expert_symbols(sizes, f, experts, top);
    model.parameters = sizes.tables() + sizes.h +
                       sizes.layers * (sizes.attention() + 2 * sizes.d + 2 * sizes.h + sizes.h * experts +
                                       experts * 3 * sizes.h * f);
    model.blocks = {{"embedding"}, {"moe_layer", sizes.layers}, {"head"}};
    return model;
}

ImportedModel mixtral(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "mixtral"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t f = config.size("intermediate_size");
    const std::int64_t experts = config.size("num_local_experts");
    const std::int64_t top = config.size("num_experts_per_tok");
    if (number_of(windows_of_all(config, sizes.layers).of_layers) > 0)
        model.left_out.emplace_back("its sliding window (here all layers attend to all tokens)");
    note_tie(sizes.tied, model);
    note_activation(config, model);
    model.symbols = expert_symbols(sizes, f, experts, top);
    model.parameters =
        sizes.tables() + sizes.h +
        sizes.layers * (sizes.attention() + 2 * sizes.h + sizes.h * experts + experts * 3 * sizes.h * f);
    model.blocks = {{"embedding"}, {"moe_layer", sizes.layers}, {"head"}};
    return model;
}

ImportedModel gpt_oss(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "gpt_oss"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t f = config.size("intermediate_size");
    const std::int64_t experts = config.size("num_local_experts");
    const std::int64_t top = config.size("experts_per_token", config.size("num_experts_per_tok", 4));
    const Windows windows = windows_by_type(config, sizes.layers, 2);
    const bool biased = config.flag("attention_bias", true);
    for (const char* same : {"experts_per_token", "num_experts_per_tok"}) config.find(same);
    note_tie(sizes.tied, model);
    note_activation(config, model);
    model.symbols = expert_symbols(sizes, f, experts, top);
    model.symbols.insert(model.symbols.end() - 1, {"window", std::max<std::int64_t>(windows.tokens, 1)});
    const std::int64_t expert = 3 * sizes.h * f + 2 * f + sizes.h;
    model.parameters = sizes.tables() + sizes.h +
                       sizes.layers * (sizes.attention() + (biased ? sizes.qkv() + sizes.h : 0) + sizes.n +
                                       2 * sizes.h + (sizes.h + 1) * experts + experts * expert);
    model.blocks = {{"embedding"}};
    add_in_order(windows.of_layers, {"window_layer"}, {"full_layer"}, model.blocks);
    model.blocks.push_back({"head"});
    model.left_out.emplace_back("attention sinks (one number per head)");
    model.left_out.emplace_back("biases of attention, router and experts");
    return model;
}

/// A layer of Llama 4.
struct Llama4Layer {
    bool is_mixture{false};
    bool is_full{false};  ///< attends to all tokens (and then has no positions)
};

/// `moe_layers` and `no_rope_layers`, or the steps that stand for them (transformers, Llama4TextConfig).
std::vector<Llama4Layer> llama4_layers(ConfigFile& config, std::int64_t layers) {
    const std::int64_t step = config.size("interleave_moe_layer_step", 1);
    const std::int64_t interval = config.size("no_rope_layer_interval", 4);
    const Json* mixtures = config.find("moe_layers");
    const Json* rotated = config.find("no_rope_layers");
    config.find("layer_types");
    std::vector<Llama4Layer> result;
    result.reserve(static_cast<std::size_t>(layers));
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const bool mixture = mixtures != nullptr && mixtures->is_array()
                                 ? std::find(mixtures->begin(), mixtures->end(), layer) != mixtures->end()
                                 : (layer + 1) % step == 0;
        const auto index = static_cast<std::size_t>(layer);
        const bool full = rotated != nullptr && rotated->is_array() && index < rotated->size()
                              ? (*rotated)[index] == 0
                              : (layer + 1) % interval == 0;
        result.push_back({mixture, full});
    }
    return result;
}

ImportedModel llama4(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "llama4"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t f = config.size("intermediate_size");
    const std::int64_t dense = config.size("intermediate_size_mlp", 2 * f);
    const std::int64_t experts = config.size("num_local_experts");
    const std::int64_t top = config.size("num_experts_per_tok");
    const std::int64_t chunk = config.size("attention_chunk_size", 8192);
    const std::vector<Llama4Layer> layers = llama4_layers(config, sizes.layers);
    for (const char* unused :
         {"use_qk_norm", "attn_scale", "attn_temperature_tuning", "floor_scale", "for_llm_compressor"})
        config.find(unused);
    note_biases(config, model);
    note_tie(sizes.tied, model);
    note_activation(config, model);
    model.symbols = expert_symbols(sizes, f, experts, top);
    model.symbols.insert(model.symbols.end() - 3, {"fs", f});
    const std::int64_t mixtures = std::count_if(layers.begin(), layers.end(),
                                                [](const Llama4Layer& layer) { return layer.is_mixture; });
    model.parameters = sizes.tables() + sizes.h + sizes.layers * (sizes.attention() + 2 * sizes.h) +
                       mixtures * (sizes.h * experts + (experts + 1) * 3 * sizes.h * f) +
                       (sizes.layers - mixtures) * 3 * sizes.h * dense;
    model.blocks = {{"embedding"}};
    for (const Llama4Layer& layer : layers) {
        const std::string attention = layer.is_full ? "full_layer" : "chunk_layer";
        ImportedBlock block{layer.is_mixture ? attention : "dense_" + attention};
        if (!layer.is_full) block.symbols.emplace_back("window", chunk);
        if (!layer.is_mixture) block.symbols.emplace_back("fd", dense);
        add_layer(block, model.blocks);
    }
    model.blocks.push_back({"head"});
    return model;
}

/// Mixtures whose norms of queries and keys are over all heads (MiniMax-M2, OLMoE); here they are one per
/// head.
ImportedModel wide_norm_moe(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "qwen3_moe"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t f = config.size("intermediate_size");
    const std::int64_t experts = experts_of(config);
    const std::int64_t top = config.size("num_experts_per_tok");
    // MiniMax's own configuration says so; that of transformers has no field for it.
    const bool corrected = config.flag("use_routing_bias", false);
    if (config.count("shared_intermediate_size", 0) > 0)
        refuse(config, "it has shared experts, and the template qwen3_moe has none");
    // Full attention is 1; MiniMax-M1 has linear attention too.
    if (const Json* kinds = config.find("attn_type_list");
        kinds != nullptr &&
        std::any_of(kinds->begin(), kinds->end(), [](const Json& kind) { return kind != 1; }))
        refuse(config, "not all of its layers have full attention (attn_type_list)");
    config.find("sliding_window");
    for (const char* unused : {"norm_topk_prob", "scoring_func", "use_qk_norm", "qk_norm_type", "clip_qkv",
                               "use_mtp", "mtp_transformer_layers"})
        config.find(unused);
    note_biases(config, model);
    note_tie(sizes.tied, model);
    note_activation(config, model);
    note_further_tokens(config.count("num_mtp_modules", 0), "module", model);
    if (corrected) model.left_out.emplace_back("the router's correction biases, which have no gradient");
    model.left_out.emplace_back("norms of queries and keys over all heads (here one per head)");
    model.symbols = expert_symbols(sizes, f, experts, top);
    model.parameters = sizes.tables() + sizes.h +
                       sizes.layers * (sizes.attention() + (sizes.n + sizes.k) * sizes.d + 2 * sizes.h +
                                       (sizes.h + (corrected ? 1 : 0)) * experts + experts * 3 * sizes.h * f);
    model.blocks = {{"embedding"}, {"moe_layer", sizes.layers}, {"head"}};
    return model;
}

/// Granite 3 and Phi-3.5-MoE: mixtures as in Mixtral.
ImportedModel mixtral_like(ConfigFile& config, std::string name) {
    const bool phi = config.model_type() == "phimoe";
    ImportedModel model = mixtral(config, std::move(name));
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const bool biased = config.flag("attention_bias", false);
    const bool head_biased = config.flag("lm_head_bias", false);
    for (const char* unused :
         {"embedding_multiplier", "residual_multiplier", "attention_multiplier", "logits_scaling"})
        config.find(unused);
    if (config.count("shared_intermediate_size", 0) > 0)
        refuse(config, "it has a shared expert, and the template mixtral has none");
    if (biased) model.left_out.emplace_back("biases of attention");
    if (phi) {
        model.left_out.emplace_back("its LayerNorm (here RMSNorm, without biases)");
        model.parameters += (2 * sizes.layers + 1) * sizes.h;
    }
    if (head_biased) model.left_out.emplace_back("biases of the head");
    model.parameters += sizes.layers * (biased ? sizes.qkv() + sizes.h : 0) + (head_biased ? sizes.vocab : 0);
    return model;
}

/// What mixtures with shared experts and ordinary attention differ in.
struct SharedMixture {
    std::int64_t f{0};   ///< width of a dense layer's MLP
    std::int64_t fe{0};  ///< of an expert
    std::int64_t fs{0};  ///< of all shared experts together
    std::int64_t experts{0};
    std::int64_t top{0};
    std::int64_t dense{0};  ///< layers
    bool biased{false};     ///< queries, keys and values
    bool normed{false};     ///< queries and keys, every head
    bool corrected{true};   ///< the router
    bool gated{false};      ///< the shared expert has a gate of one number
};

/// Models of template glm_4_5.
ImportedModel shared_mixture(ConfigFile& config, std::string name, const DecoderSizes& sizes,
                             const SharedMixture& has) {
    ImportedModel model{.name = std::move(name), .template_name = "glm_4_5"};
    if (has.fs == 0) refuse(config, "it has no shared expert, and the template glm_4_5 has one");
    if (has.dense > sizes.layers) refuse(config, "more dense layers than layers");
    for (const char* unused : {"norm_topk_prob", "topk_group", "n_group", "scoring_func", "topk_method"})
        config.find(unused);
    note_tie(sizes.tied, model);
    note_activation(config, model);
    if (has.biased) model.left_out.emplace_back("biases of queries, keys and values");
    if (!has.normed)
        model.left_out.emplace_back("the absence of norms of queries and keys (the template has them)");
    if (has.corrected) model.left_out.emplace_back("the router's correction biases, which have no gradient");
    if (has.gated) model.left_out.emplace_back("the gate of its shared expert");
    model.symbols = expert_symbols(sizes, has.f, has.experts, has.top);
    model.symbols.insert(model.symbols.begin() + 1, {"dense_layers", std::max<std::int64_t>(has.dense, 1)});
    model.symbols.insert(model.symbols.end() - 3, {{"fe", has.fe}, {"fs", has.fs}});
    const std::int64_t layer =
        sizes.attention() + (has.biased ? sizes.qkv() : 0) + (has.normed ? 2 * sizes.d : 0) + 2 * sizes.h;
    const std::int64_t mixture = (sizes.h + (has.corrected ? 1 : 0)) * has.experts +
                                 has.experts * 3 * sizes.h * has.fe + 3 * sizes.h * has.fs +
                                 (has.gated ? sizes.h : 0);
    model.parameters = sizes.tables() + sizes.h + sizes.layers * layer + has.dense * 3 * sizes.h * has.f +
                       (sizes.layers - has.dense) * mixture;
    model.blocks = {{"embedding"}};
    if (has.dense > 0) model.blocks.push_back({"dense_layer", has.dense});
    if (has.dense < sizes.layers) model.blocks.push_back({"moe_layer", sizes.layers - has.dense});
    model.blocks.push_back({"head"});
    return model;
}

/// GLM-4.5 to 4.7, GLM-4.5V and dots.llm1.
ImportedModel glm4_moe(ConfigFile& config, std::string name) {
    const bool dots = config.model_type() == "dots1";
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t fe = config.size("moe_intermediate_size");
    for (const char* unused : {"layer_types", "sliding_window", "max_window_layers"}) config.find(unused);
    ImportedModel model = shared_mixture(config, std::move(name), sizes,
                                         {.f = config.size("intermediate_size"),
                                          .fe = fe,
                                          .fs = fe * config.count("n_shared_experts", 0),
                                          .experts = config.size("n_routed_experts"),
                                          .top = config.size("num_experts_per_tok"),
                                          .dense = dense_layers_of(config, sizes.layers, 0),
                                          .biased = config.flag("attention_bias", false),
                                          .normed = config.flag("use_qk_norm", dots)});
    model.draft_heads = config.count("num_nextn_predict_layers", 0);
    return model;
}

/// Qwen1.5-MoE and Qwen2-57B-A14B: no norms of queries and keys, a shared expert with a gate.
ImportedModel qwen2_moe(ConfigFile& config, std::string name) {
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const Json* dense = config.find("mlp_only_layers");
    if (config.size("decoder_sparse_step", 1) != 1)
        refuse(config, "dense layers stand between its mixtures (decoder_sparse_step)");
    if (config.flag("use_sliding_window", false))
        refuse(config,
               "its upper layers have windows (use_sliding_window), and the template glm_4_5 has none");
    for (const char* unused : {"layer_types", "sliding_window", "max_window_layers"}) config.find(unused);
    return shared_mixture(
        config, std::move(name), sizes,
        {.f = config.size("intermediate_size"),
         .fe = config.size("moe_intermediate_size"),
         .fs = config.size("shared_expert_intermediate_size"),
         .experts = experts_of(config),
         .top = config.size("num_experts_per_tok"),
         .dense = dense != nullptr && dense->is_array() ? static_cast<std::int64_t>(dense->size()) : 0,
         .biased = config.flag("qkv_bias", true),
         .corrected = false,
         .gated = true});
}

/// ERNIE 4.5 with experts: the first layers are dense, and the last ones may be.
ImportedModel ernie4_5_moe(ConfigFile& config, std::string name) {
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::tied);
    const std::int64_t fe = config.size("moe_intermediate_size");
    const Json* first = config.find("moe_layer_start_index");
    const Json* last = config.find("moe_layer_end_index");
    if (config.size("moe_layer_interval", 1) != 1)
        refuse(config, "dense layers stand between its mixtures (moe_layer_interval)");
    if (config.flag("use_bias", false))
        refuse(config, "it has biases (use_bias), and the template glm_4_5 has none");
    const std::int64_t start =
        first != nullptr && first->is_number_integer() ? first->get<std::int64_t>() : 1;
    std::int64_t end = last != nullptr && last->is_number_integer() ? last->get<std::int64_t>() : -1;
    if (end < 0) end = sizes.layers - 1;
    if (start < 0 || end < start || end >= sizes.layers)
        refuse(config, fmt::format("its mixtures are layers {} to {} of {} (moe_layer_start_index, "
                                   "moe_layer_end_index)",
                                   start, end, sizes.layers));
    return shared_mixture(config, std::move(name), sizes,
                          {.f = config.size("intermediate_size"),
                           .fe = fe,
                           .fs = fe * config.count("moe_num_shared_experts", 0),
                           .experts = config.size("moe_num_experts"),
                           .top = config.size("moe_k"),
                           .dense = sizes.layers - (end - start + 1)});
}

/// Qwen3-Next and Qwen3.5: linear attention (Gated DeltaNet) in most layers, attention with a gate in the
/// others.
struct LinearAttention {
    std::int64_t lk{0};  ///< heads of keys
    std::int64_t lv{0};  ///< heads of values
    std::int64_t ld{0};  ///< width of a head
    /// [layer]: every one but each `full_attention_interval`-th, unless `layer_types` says.
    std::vector<bool> is_linear;

    /// Parameters of attention in all layers, without the norms before it.
    [[nodiscard]] std::int64_t parameters(const DecoderSizes& sizes) const {
        const std::int64_t channels = (2 * lk + lv) * ld;
        const std::int64_t linear =
            sizes.h * (channels + lv * ld + 2 * lv) + 4 * channels + 2 * lv + ld + lv * ld * sizes.h;
        const std::int64_t full = sizes.attention() + sizes.h * sizes.n * sizes.d + 2 * sizes.d;
        const std::int64_t layers = number_of(is_linear);
        return layers * linear + (sizes.layers - layers) * full;
    }
    /// The first symbols of a model: all but those of its MLP and the vocabulary.
    [[nodiscard]] Symbols symbols(const DecoderSizes& sizes) const {
        return {{"layers", sizes.layers}, {"h", sizes.h}, {"n", sizes.n}, {"k", sizes.k},
                {"d", sizes.d},           {"lk", lk},     {"lv", lv},     {"ld", ld}};
    }
};

LinearAttention linear_attention(ConfigFile& config, std::int64_t layers, std::string_view name) {
    const std::int64_t ld = config.size("linear_key_head_dim");
    const std::int64_t interval = config.size("full_attention_interval", 4);
    const auto linear = config.layers_of_type(layers, "linear_attention", {"full_attention"});
    if (config.size("linear_value_head_dim", ld) != ld)
        refuse(config,
               fmt::format(
                   "keys and values of its linear attention differ in width, and the template {} has one",
                   name));
    if (config.size("linear_conv_kernel_dim", 4) != 4)
        refuse(config, fmt::format("its convolution is not over four tokens, as in the template {}", name));
    return {config.size("linear_num_key_heads"), config.size("linear_num_value_heads"), ld,
            linear ? *linear : all_but_each(interval, layers)};
}

ImportedModel qwen3_next(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "qwen3_5"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t fe = config.size("moe_intermediate_size");
    const std::int64_t fs = config.size("shared_expert_intermediate_size");
    const std::int64_t experts = experts_of(config);
    const std::int64_t top = config.size("num_experts_per_tok");
    const LinearAttention attention = linear_attention(config, sizes.layers, model.template_name);
    const Json* dense = config.find("mlp_only_layers");
    if (config.size("decoder_sparse_step", 1) != 1 || (dense != nullptr && !dense->empty()))
        refuse(config,
               "some of its layers are dense, and the template qwen3_5 has none (decoder_sparse_step, "
               "mlp_only_layers)");
    for (const char* unused : {"intermediate_size", "norm_topk_prob", "attn_output_gate", "mamba_ssm_dtype",
                               "mtp_use_dedicated_embeddings"})
        config.find(unused);
    note_biases(config, model);
    note_tie(sizes.tied, model);
    note_activation(config, model);
    model.draft_heads = config.count("mtp_num_hidden_layers", 0);
    model.left_out.emplace_back("the second gate of its linear attention and the gate of its shared expert");
    model.symbols = attention.symbols(sizes);
    model.symbols.insert(
        model.symbols.end(),
        {{"fe", fe}, {"fs", fs}, {"experts", experts}, {"top_k", top}, {"vocab", sizes.vocab}});
    const std::int64_t mixture =
        sizes.h * experts + experts * 3 * sizes.h * fe + 3 * sizes.h * fs + sizes.h + 2 * sizes.h;
    model.parameters = sizes.tables() + sizes.h + sizes.layers * mixture + attention.parameters(sizes);
    model.blocks = {{"embedding"}};
    add_in_order(attention.is_linear, {"linear_layer"}, {"full_layer"}, model.blocks);
    model.blocks.push_back({"head"});
    return model;
}

/// Dense Qwen3.5: linear and full attention with an MLP.
ImportedModel qwen3_5(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "qwen3_5_dense"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t f = config.size("intermediate_size");
    const LinearAttention attention = linear_attention(config, sizes.layers, model.template_name);
    for (const char* unused :
         {"attn_output_gate", "mamba_ssm_dtype", "mtp_use_dedicated_embeddings", "mlp_only_layers"})
        config.find(unused);
    note_biases(config, model);
    note_activation(config, model);
    model.draft_heads = config.count("mtp_num_hidden_layers", 0);
    model.left_out.emplace_back("the second gate of its linear attention");
    model.symbols = attention.symbols(sizes);
    model.symbols.insert(model.symbols.end(), {{"f", f}, {"vocab", sizes.vocab}});
    model.parameters = sizes.tables() + sizes.h + sizes.layers * (3 * sizes.h * f + 2 * sizes.h) +
                       attention.parameters(sizes);
    model.blocks = {{"embedding"}};
    add_in_order(attention.is_linear, {"linear_layer"}, {"full_layer"}, model.blocks);
    model.blocks.push_back({sizes.tied ? "tied_head" : "head"});
    return model;
}

}  // namespace

std::span<const ModelFamily> expert_families() {
    static constexpr ModelFamily families[] = {
        {"mixtral", &mixtral},
        {"qwen3_moe", &qwen3_moe},
        {"qwen3_next", &qwen3_next},
        {"gpt_oss", &gpt_oss},
        {"llama4", &llama4},
        {"llama4_text", &llama4},
        {"glm4_moe", &glm4_moe},
        {"qwen3_vl_moe_text", &qwen3_moe},
        {"qwen3_5_moe_text", &qwen3_next},
        {"glm4v_moe_text", &glm4_moe},
        {"dots1", &glm4_moe},
        {"qwen2_moe", &qwen2_moe},
        {"ernie4_5_moe", &ernie4_5_moe},
        {"minimax_m2", &wide_norm_moe},
        {"olmoe", &wide_norm_moe},
        {"granitemoe", &mixtral_like},
        {"granitemoeshared", &mixtral_like},
        {"phimoe", &mixtral_like},
        {"qwen3_5_text", &qwen3_5},
    };
    return families;
}

}  // namespace dse::app
