#include <algorithm>

#include <fmt/format.h>

#include "app/hugging_face/family.hpp"

namespace dse::app {
namespace {

std::int64_t symbol(const Symbols& symbols, const std::string& name) {
    return std::find_if(symbols.begin(), symbols.end(),
                        [&](const auto& entry) { return entry.first == name; })
        ->second;
}

/// Latent attention of DeepSeek-V2 and V3: weights and norms of one layer.
std::int64_t latent_attention(const Symbols& symbols) {
    const auto of = [&](const char* name) { return symbol(symbols, name); };
    const std::int64_t n = of("n");
    return of("h") * of("q_rank") + of("q_rank") + of("q_rank") * n * (of("nope") + of("rope")) +
           of("h") * (of("kv_rank") + of("rope")) + of("kv_rank") +
           of("kv_rank") * n * (of("nope") + of("value")) + n * of("value") * of("h");
}

void note_routing(ConfigFile& config, ImportedModel& model) {
    const std::int64_t groups = config.size("n_group", 1);
    const std::int64_t chosen = config.size("topk_group", groups);
    if (chosen < groups)
        model.left_out.push_back(fmt::format(
            "routing limited to {} of {} groups of experts (here every token may use all experts)", chosen,
            groups));
    model.draft_heads = config.size("num_nextn_predict_layers", 0);
    if (const std::int64_t next = model.draft_heads; next > 0)
        model.left_out.push_back(
            fmt::format("{} module{} that predict{} further tokens (the block head_and_next has one)", next,
                        next == 1 ? "" : "s", next == 1 ? "s" : ""));
    for (const char* unused :
         {"topk_method", "scoring_func", "norm_topk_prob", "num_key_value_heads", "head_dim", "qk_head_dim"})
        config.find(unused);
}

ImportedModel deepseek(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "deepseek_v3"};
    if (config.find("q_lora_rank") == nullptr)
        refuse(config, "its queries have no low rank (q_lora_rank), and the template deepseek_v3 has one");
    if (config.size("moe_layer_freq", 1) != 1)
        refuse(config, "dense layers stand between its mixtures (moe_layer_freq)");
    const std::int64_t layers = config.size("num_hidden_layers");
    const std::int64_t dense = dense_layers_of(config, layers, 0);
    const std::int64_t fe = config.size("moe_intermediate_size");
    const std::int64_t fs = fe * config.size("n_shared_experts", 0);
    const std::int64_t h = config.size("hidden_size");
    const std::int64_t f = config.size("intermediate_size");
    const std::int64_t experts = config.size("n_routed_experts");
    const std::int64_t vocab = config.size("vocab_size");
    if (fs == 0) refuse(config, "it has no shared expert, and the template deepseek_v3 has one");
    model.symbols = {{"layers", layers},
                     {"dense_layers", std::max<std::int64_t>(dense, 1)},
                     {"h", h},
                     {"n", config.size("num_attention_heads")},
                     {"q_rank", config.size("q_lora_rank")},
                     {"kv_rank", config.size("kv_lora_rank")},
                     {"nope", config.size("qk_nope_head_dim")},
                     {"rope", config.size("qk_rope_head_dim")},
                     {"value", config.size("v_head_dim")},
                     {"f", f},
                     {"fe", fe},
                     {"fs", fs},
                     {"experts", experts},
                     {"top_k", config.size("num_experts_per_tok")},
                     {"vocab", vocab}};
    const bool corrected = config.model_type() != "deepseek_v2";
    model.parameters =
        2 * vocab * h + h + layers * (latent_attention(model.symbols) + 2 * h) + dense * 3 * h * f +
        (layers - dense) * (h * experts + experts * 3 * h * fe + 3 * h * fs + (corrected ? experts : 0));
    model.blocks = {{"embedding"}};
    if (dense > 0) model.blocks.push_back({"dense_layer", dense});
    if (dense < layers) model.blocks.push_back({"moe_layer", layers - dense});
    model.blocks.push_back({"head"});
    if (corrected) model.left_out.emplace_back("the router's correction biases, which have no gradient");
    note_routing(config, model);
    config.find("attention_bias");
    note_tie(config.flag("tie_word_embeddings", false), model);
    note_activation(config, model);
    return model;
}

/// DeepSeek-V3.2 and GLM-5: an indexer chooses the tokens that latent attention reads.
ImportedModel indexed(ConfigFile& config, std::string name) {
    ImportedModel model = deepseek(config, std::move(name));
    const std::int64_t heads = config.size("index_n_heads");
    const std::int64_t width = config.size("index_head_dim");
    const std::int64_t selected = config.size("index_topk");
    const std::int64_t layers = symbol(model.symbols, "layers");
    const std::int64_t h = symbol(model.symbols, "h");
    for (const char* unused :
         {"indexer_rope_interleave", "index_topk_freq", "index_topk_pattern", "index_skip_topk_offset",
          "index_share_for_mtp_iteration", "layer_types", "mlp_bias"})
        config.find(unused);
    // GLM-5.2: most layers read the tokens that the indexer of a layer before them has chosen.
    const Json* kinds = config.find("indexer_types");
    const std::int64_t own = kinds != nullptr && kinds->is_array()
                                 ? layers - std::count(kinds->begin(), kinds->end(), Json("shared"))
                                 : layers;
    if (own < 0) refuse(config, "indexer_types names more layers than num_hidden_layers says");
    if (own < layers)
        model.left_out.push_back(fmt::format(
            "the sharing of indexers: {} of {} layers have one (here every layer does)", own, layers));
    model.template_name = "glm_5";
    model.counted_in_prefill = true;
    model.parameters +=
        own * (symbol(model.symbols, "q_rank") * heads * width + h * width + 2 * width + h * heads);
    model.symbols.insert(model.symbols.end() - 1, {{"ni", heads}, {"di", width}, {"selected", selected}});
    model.left_out.emplace_back("the indexer while training (attention then reads all tokens)");
    return model;
}

}  // namespace

std::span<const ModelFamily> latent_families() {
    static constexpr ModelFamily families[] = {
        {"deepseek_v2", &deepseek},   {"deepseek_v3", &deepseek}, {"kimi_k2", &deepseek},
        {"glm4_moe_lite", &deepseek}, {"deepseek_v32", &indexed}, {"glm_moe_dsa", &indexed},
    };
    return families;
}

}  // namespace dse::app
