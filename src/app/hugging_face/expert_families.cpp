#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "app/hugging_face/family.hpp"

namespace dse::app {
namespace {

ImportedModel qwen3_moe(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "qwen3_moe"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t f = config.size("moe_intermediate_size");
    const std::int64_t experts = config.size("num_experts");
    const std::int64_t top = config.size("num_experts_per_tok");
    const Json* dense = config.find("mlp_only_layers");
    if (config.size("decoder_sparse_step", 1) != 1 || (dense != nullptr && !dense->empty()))
        refuse(config,
               "some of its layers are dense, and the template qwen3_moe has none (decoder_sparse_step, "
               "mlp_only_layers)");
    for (const char* unused : {"intermediate_size", "norm_topk_prob", "max_window_layers", "sliding_window",
                               "shared_expert_intermediate_size"})
        config.find(unused);
    if (config.flag("use_sliding_window", false))
        model.left_out.push_back("the window of its upper layers (here all layers attend to all tokens)");
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
    if (windows_of_all(config, sizes.layers).layers > 0)
        model.left_out.push_back("its sliding window (here all layers attend to all tokens)");
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
    if (windows.layers > 0) model.blocks.push_back({"window_layer", windows.layers});
    if (windows.layers < sizes.layers) model.blocks.push_back({"full_layer", sizes.layers - windows.layers});
    model.blocks.push_back({"head"});
    model.left_out.push_back("attention sinks (one number per head)");
    model.left_out.push_back("biases of attention, router and experts");
    return model;
}

/// Layers of Llama 4 by kind: the first index says whether the layer is a mixture, the second whether it
/// attends to all tokens (and then has no positions).
using LayerCounts = std::array<std::array<std::int64_t, 2>, 2>;

/// `moe_layers` and `no_rope_layers`, or the steps that stand for them (transformers, Llama4TextConfig).
LayerCounts llama4_layers(ConfigFile& config, std::int64_t layers) {
    const std::int64_t step = config.size("interleave_moe_layer_step", 1);
    const std::int64_t interval = config.size("no_rope_layer_interval", 4);
    const Json* mixtures = config.find("moe_layers");
    const Json* rotated = config.find("no_rope_layers");
    config.find("layer_types");
    LayerCounts counts{};
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const bool mixture = mixtures != nullptr && mixtures->is_array()
                                 ? std::find(mixtures->begin(), mixtures->end(), layer) != mixtures->end()
                                 : (layer + 1) % step == 0;
        const auto index = static_cast<std::size_t>(layer);
        const bool full = rotated != nullptr && rotated->is_array() && index < rotated->size()
                              ? (*rotated)[index] == 0
                              : (layer + 1) % interval == 0;
        ++counts[mixture ? 1 : 0][full ? 1 : 0];
    }
    return counts;
}

ImportedModel llama4(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "llama4"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t f = config.size("intermediate_size");
    const std::int64_t dense = config.size("intermediate_size_mlp", 2 * f);
    const std::int64_t experts = config.size("num_local_experts");
    const std::int64_t top = config.size("num_experts_per_tok");
    const std::int64_t chunk = config.size("attention_chunk_size", 8192);
    constexpr std::int64_t most_layers = 100'000;
    if (sizes.layers > most_layers) refuse(config, fmt::format("{} layers", sizes.layers));
    const LayerCounts counts = llama4_layers(config, sizes.layers);
    for (const char* unused :
         {"use_qk_norm", "attn_scale", "attn_temperature_tuning", "floor_scale", "for_llm_compressor"})
        config.find(unused);
    note_biases(config, model);
    note_tie(sizes.tied, model);
    note_activation(config, model);
    model.symbols = expert_symbols(sizes, f, experts, top);
    model.symbols.insert(model.symbols.end() - 3, {"fs", f});
    const std::int64_t mixtures = counts[1][0] + counts[1][1];
    model.parameters = sizes.tables() + sizes.h + sizes.layers * (sizes.attention() + 2 * sizes.h) +
                       mixtures * (sizes.h * experts + (experts + 1) * 3 * sizes.h * f) +
                       (sizes.layers - mixtures) * 3 * sizes.h * dense;
    const Symbols window{{"window", chunk}};
    const Symbols width{{"fd", dense}};
    model.blocks = {{"embedding"}};
    if (counts[0][0] > 0)
        model.blocks.push_back({"dense_chunk_layer", counts[0][0], {window.front(), width.front()}});
    if (counts[0][1] > 0) model.blocks.push_back({"dense_full_layer", counts[0][1], width});
    if (counts[1][0] > 0) model.blocks.push_back({"chunk_layer", counts[1][0], window});
    if (counts[1][1] > 0) model.blocks.push_back({"full_layer", counts[1][1]});
    model.blocks.push_back({"head"});
    return model;
}

ImportedModel glm4_moe(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "glm_4_5"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t f = config.size("intermediate_size");
    const std::int64_t fe = config.size("moe_intermediate_size");
    const std::int64_t fs = fe * config.size("n_shared_experts", 0);
    const std::int64_t experts = config.size("n_routed_experts");
    const std::int64_t top = config.size("num_experts_per_tok");
    const std::int64_t dense = config.size("first_k_dense_replace", 0);
    if (fs == 0) refuse(config, "it has no shared expert, and the template glm_4_5 has one");
    if (dense > sizes.layers) refuse(config, "more dense layers than layers");
    for (const char* unused : {"norm_topk_prob", "topk_group", "n_group", "scoring_func", "topk_method"})
        config.find(unused);
    const bool biased = config.flag("attention_bias", false);
    const bool normed = config.flag("use_qk_norm", false);
    note_tie(sizes.tied, model);
    note_activation(config, model);
    if (biased) model.left_out.push_back("biases of queries, keys and values");
    if (!normed) model.left_out.push_back("the absence of norms of queries and keys (the template has them)");
    model.left_out.push_back("the router's correction biases, which have no gradient");
    model.draft_heads = config.size("num_nextn_predict_layers", 0);
    model.symbols = expert_symbols(sizes, f, experts, top);
    model.symbols.insert(model.symbols.begin() + 1, {"dense_layers", dense});
    model.symbols.insert(model.symbols.end() - 3, {{"fe", fe}, {"fs", fs}});
    const std::int64_t layer =
        sizes.attention() + (biased ? sizes.qkv() : 0) + (normed ? 2 * sizes.d : 0) + 2 * sizes.h;
    model.parameters =
        sizes.tables() + sizes.h + sizes.layers * layer + dense * 3 * sizes.h * f +
        (sizes.layers - dense) * ((sizes.h + 1) * experts + experts * 3 * sizes.h * fe + 3 * sizes.h * fs);
    model.blocks = {{"embedding"}};
    if (dense > 0) model.blocks.push_back({"dense_layer", dense});
    if (dense < sizes.layers) model.blocks.push_back({"moe_layer", sizes.layers - dense});
    model.blocks.push_back({"head"});
    return model;
}

/// Layers of linear attention: every one but each `full_attention_interval`-th, unless `layer_types` says.
std::int64_t linear_layers(ConfigFile& config, std::int64_t layers) {
    const std::int64_t interval = config.size("full_attention_interval", 4);
    if (const auto linear = config.layers_of_type(layers, "linear_attention")) return *linear;
    return layers - layers / interval;
}

ImportedModel qwen3_next(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "qwen3_5"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t lk = config.size("linear_num_key_heads");
    const std::int64_t lv = config.size("linear_num_value_heads");
    const std::int64_t ld = config.size("linear_key_head_dim");
    const std::int64_t fe = config.size("moe_intermediate_size");
    const std::int64_t fs = config.size("shared_expert_intermediate_size");
    const std::int64_t experts = config.size("num_experts");
    const std::int64_t top = config.size("num_experts_per_tok");
    const std::int64_t linear = linear_layers(config, sizes.layers);
    const Json* dense = config.find("mlp_only_layers");
    if (config.size("linear_value_head_dim", ld) != ld)
        refuse(config,
               "keys and values of its linear attention differ in width, and the template qwen3_5 has one");
    if (config.size("linear_conv_kernel_dim", 4) != 4)
        refuse(config, "its convolution is not over four tokens, as in the template qwen3_5");
    if (config.size("decoder_sparse_step", 1) != 1 || (dense != nullptr && !dense->empty()))
        refuse(config,
               "some of its layers are dense, and the template qwen3_5 has none (decoder_sparse_step, "
               "mlp_only_layers)");
    for (const char* unused : {"intermediate_size", "norm_topk_prob", "attn_output_gate", "mamba_ssm_dtype"})
        config.find(unused);
    note_biases(config, model);
    note_tie(sizes.tied, model);
    note_activation(config, model);
    model.left_out.push_back("the second gate of its linear attention and the gate of its shared expert");
    model.symbols = {{"layers", sizes.layers},
                     {"h", sizes.h},
                     {"n", sizes.n},
                     {"k", sizes.k},
                     {"d", sizes.d},
                     {"lk", lk},
                     {"lv", lv},
                     {"ld", ld},
                     {"fe", fe},
                     {"fs", fs},
                     {"experts", experts},
                     {"top_k", top},
                     {"vocab", sizes.vocab}};
    const std::int64_t mixture =
        sizes.h * experts + experts * 3 * sizes.h * fe + 3 * sizes.h * fs + sizes.h + 2 * sizes.h;
    const std::int64_t channels = (2 * lk + lv) * ld;
    const std::int64_t scanned =
        sizes.h * (channels + lv * ld + 2 * lv) + 4 * channels + 2 * lv + ld + lv * ld * sizes.h;
    const std::int64_t attended = sizes.attention() + sizes.h * sizes.n * sizes.d + 2 * sizes.d;
    model.parameters = sizes.tables() + sizes.h + sizes.layers * mixture + linear * scanned +
                       (sizes.layers - linear) * attended;
    model.blocks = {{"embedding"}};
    if (linear > 0) model.blocks.push_back({"linear_layer", linear});
    if (linear < sizes.layers) model.blocks.push_back({"full_layer", sizes.layers - linear});
    model.blocks.push_back({"head"});
    return model;
}

}  // namespace

std::span<const ModelFamily> expert_families() {
    static constexpr ModelFamily families[] = {
        {"mixtral", &mixtral}, {"qwen3_moe", &qwen3_moe}, {"qwen3_next", &qwen3_next}, {"gpt_oss", &gpt_oss},
        {"llama4", &llama4},   {"llama4_text", &llama4},  {"glm4_moe", &glm4_moe},
    };
    return families;
}

}  // namespace dse::app
