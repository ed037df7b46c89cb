#include <algorithm>
#include <initializer_list>
#include <vector>

#include <fmt/format.h>

#include "app/hugging_face/family.hpp"
#include "dse/config/source_text.hpp"

namespace dse::app {
namespace {

std::int64_t symbol(const Symbols& symbols, const std::string& name) {
    return std::find_if(symbols.begin(), symbols.end(),
                        [&](const auto& entry) { return entry.first == name; })
        ->second;
}

/// Latent attention but for its queries: weights and the norm of one layer.
std::int64_t latent_keys(const Symbols& symbols) {
    const auto of = [&](const char* name) { return symbol(symbols, name); };
    const std::int64_t n = of("n");
    return of("h") * (of("kv_rank") + of("rope")) + of("kv_rank") +
           of("kv_rank") * n * (of("nope") + of("value")) + n * of("value") * of("h");
}

/// Latent attention of DeepSeek-V2 and V3: weights and norms of one layer.
std::int64_t latent_attention(const Symbols& symbols) {
    const auto of = [&](const char* name) { return symbol(symbols, name); };
    return of("h") * of("q_rank") + of("q_rank") + of("q_rank") * of("n") * (of("nope") + of("rope")) +
           latent_keys(symbols);
}

void note_routing(ConfigFile& config, ImportedModel& model) {
    const std::int64_t groups = config.count("n_group", 1);
    const std::int64_t chosen = config.count("topk_group", groups);
    if (chosen > 0 && chosen < groups)
        model.left_out.push_back(fmt::format(
            "routing limited to {} of {} groups of experts (here every token may use all experts)", chosen,
            groups));
    model.draft_heads = config.count("num_nextn_predict_layers", 0);
    note_further_tokens(model.draft_heads, "module", model, " (the block head_and_next has one)");
    for (const char* unused :
         {"topk_method", "scoring_func", "norm_topk_prob", "num_key_value_heads", "head_dim", "qk_head_dim"})
        config.find(unused);
}

/// Which layers have linear attention: by `layer_types`, or by numbers from 1 in `linear_attn_config`, as the
/// published configuration of Kimi Linear has them; otherwise none.
std::vector<bool> linear_layers(ConfigFile& config, std::int64_t layers, const Json* published) {
    if (const auto named = config.layers_of_type(layers, "linear_attention", {"full_attention"}))
        return *named;
    std::vector<bool> linear(static_cast<std::size_t>(layers));
    if (published == nullptr) return linear;
    const auto each = [&](const char* list, bool is_linear, std::vector<bool>& seen) {
        const auto found = published->find(list);
        if (found == published->end() || !found->is_array())
            refuse(config, fmt::format("linear_attn_config has no list {}", list));
        for (const Json& number : *found) {
            const std::int64_t layer = number.is_number_integer() ? number.get<std::int64_t>() : 0;
            if (layer < 1 || layer > layers)
                refuse(config,
                       fmt::format("{} names layer {} of {}", list, config::excerpt(number.dump()), layers));
            linear[static_cast<std::size_t>(layer - 1)] = is_linear;
            seen[static_cast<std::size_t>(layer - 1)] = true;
        }
    };
    std::vector<bool> seen(static_cast<std::size_t>(layers));
    each("kda_layers", true, seen);
    each("full_attn_layers", false, seen);
    if (number_of(seen) != layers)
        refuse(config,
               fmt::format("kda_layers and full_attn_layers name {} of {} layers", number_of(seen), layers));
    return linear;
}

/// Linear attention of Kimi Linear (Kimi Delta Attention).
struct DeltaAttention {
    std::int64_t heads{0};
    std::int64_t width{0};

    /// Weights of one layer: queries, keys, values and their convolution; decay and gate of low rank; steps;
    /// a norm of one head.
    [[nodiscard]] std::int64_t parameters(std::int64_t h) const {
        const std::int64_t all = heads * width;
        return 3 * all * (h + 4) + 2 * (h * width + width * all) + all + heads + h * heads + width + all * h;
    }
};

DeltaAttention delta_attention(ConfigFile& config, const Json* published) {
    const auto of = [&](const char* field, const char* inner, std::int64_t otherwise) {
        if (published == nullptr) return config.size(field, otherwise);
        const auto found = published->find(inner);
        if (found == published->end()) return config.size(field, otherwise);
        if (!found->is_number_integer() || *found < 1 || *found > 1'000'000)
            refuse(config, fmt::format("linear_attn_config: {} is {}, not a size", inner,
                                       config::excerpt(found->dump())));
        config.add_size(field, found->get<std::int64_t>());
        return found->get<std::int64_t>();
    };
    if (of("linear_conv_kernel_dim", "short_conv_kernel_size", 4) != 4)
        refuse(config, "its convolution is not over four tokens, as in the template kimi_linear");
    return {of("linear_num_heads", "num_heads", 32), of("linear_head_dim", "head_dim", 128)};
}

/// Value of the first of these fields that the file has: those of DeepSeek, of Kimi, and of transformers 5.
std::int64_t size_of(ConfigFile& config, std::initializer_list<const char*> names) {
    const char* stated = *names.begin();
    for (const char* name : names)
        if (config.find(name) != nullptr) stated = name;
    return config.size(stated);
}

/// Weights and the norm of latent attention whose queries have no low rank, of one layer.
std::int64_t direct_attention(const Symbols& symbols) {
    const auto of = [&](const char* name) { return symbol(symbols, name); };
    return of("h") * of("n") * (of("nope") + of("rope")) + latent_keys(symbols);
}

/// Latent attention whose queries have no low rank: DeepSeek-V2-Lite, Moonlight and Kimi Linear.
ImportedModel direct_queries(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "kimi_linear"};
    if (config.find("q_lora_rank") != nullptr)
        refuse(config,
               "its queries have a low rank (q_lora_rank), and those of the template kimi_linear have none");
    if (config.size("moe_layer_freq", 1) != 1)
        refuse(config, "dense layers stand between its mixtures (moe_layer_freq)");
    const std::int64_t layers = config.size("num_hidden_layers");
    require_layers(config, layers);
    const bool kimi = config.model_type() == "kimi_linear";
    const std::int64_t dense = dense_layers_of(config, layers, kimi ? 1 : 0);
    const std::int64_t h = config.size("hidden_size");
    const std::int64_t n = config.size("num_attention_heads");
    const std::int64_t f = config.size("intermediate_size");
    const std::int64_t fe = config.size("moe_intermediate_size");
    const std::int64_t shared = size_of(config, {"n_shared_experts", "num_shared_experts"});
    const std::int64_t experts = size_of(config, {"n_routed_experts", "num_experts", "num_local_experts"});
    const std::int64_t top = size_of(config, {"num_experts_per_tok", "num_experts_per_token"});
    const std::int64_t vocab = config.size("vocab_size");
    const std::int64_t rank = config.size("kv_lora_rank");
    const std::int64_t nope = config.size("qk_nope_head_dim");
    const std::int64_t rope = config.size("qk_rope_head_dim");
    const std::int64_t value = config.size("v_head_dim");
    const Json* published = config.find("linear_attn_config");
    if (published != nullptr && !published->is_object())
        refuse(config, "linear_attn_config is not an object");
    const std::vector<bool> linear = linear_layers(config, layers, published);
    const std::int64_t linears = number_of(linear);
    const DeltaAttention delta = linears > 0 ? delta_attention(config, published) : DeltaAttention{};
    const bool corrected = config.model_type() != "deepseek_v2";
    for (const char* unused :
         {"mla_use_nope", "model_max_length", "moe_renormalize", "moe_router_activation_func",
          "num_expert_group", "use_grouped_topk", "linear_conv_kernel_dim", "linear_head_dim",
          "linear_num_heads", "attention_bias"})
        config.find(unused);
    model.symbols = {
        {"layers", layers},   {"h", h},         {"n", n},        {"kv_rank", rank}, {"nope", nope},
        {"rope", rope},       {"value", value}, {"f", f},        {"fe", fe},        {"fs", fe * shared},
        {"experts", experts}, {"top_k", top},   {"vocab", vocab}};
    model.parameters =
        2 * vocab * h + h + layers * 2 * h + (layers - linears) * direct_attention(model.symbols) +
        linears * delta.parameters(h) + dense * 3 * h * f +
        (layers - dense) *
            (h * experts + experts * 3 * h * fe + 3 * h * fe * shared + (corrected ? experts : 0));
    model.blocks = {{"embedding"}};
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const std::string mlp = layer < dense ? "dense_layer" : "moe_layer";
        if (linear[static_cast<std::size_t>(layer)])
            add_layer({"linear_" + mlp, 1, {{"heads", delta.heads}, {"width", delta.width}}}, model.blocks);
        else
            add_layer({mlp}, model.blocks);
    }
    model.blocks.push_back({"head"});
    if (linears > 0)
        model.left_out.emplace_back(
            "the absence of positions in its attention, and of biases of its convolution (here they are)");
    if (corrected) model.left_out.emplace_back("the router's correction biases, which have no gradient");
    note_routing(config, model);
    model.draft_heads = 0;
    note_tie(config.flag("tie_word_embeddings", false), model);
    note_activation(config, model);
    return model;
}

ImportedModel deepseek(ConfigFile& config, std::string name) {
    if (config.find("q_lora_rank") == nullptr) return direct_queries(config, std::move(name));
    ImportedModel model{.name = std::move(name), .template_name = "deepseek_v3"};
    if (config.size("moe_layer_freq", 1) != 1)
        refuse(config, "dense layers stand between its mixtures (moe_layer_freq)");
    const std::int64_t layers = config.size("num_hidden_layers");
    const std::int64_t dense = dense_layers_of(config, layers, 0);
    const std::int64_t fe = config.size("moe_intermediate_size");
    const std::int64_t fs = fe * config.count("n_shared_experts", 0);
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
    if (config.find("q_lora_rank") == nullptr)
        refuse(config,
               "its queries have no low rank (q_lora_rank), and those of the template glm_5 have one");
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

/// Kinds of layers of DeepSeek-V4.
enum class V4Layer : std::uint8_t { window, sparse, compressed };

/// By `layer_types`, or by the published `compress_ratios`; otherwise two that compress heavily, and then
/// every second one (transformers, DeepseekV4Config).
std::vector<V4Layer> v4_layers(ConfigFile& config, std::int64_t layers) {
    std::vector<V4Layer> kinds;
    kinds.reserve(static_cast<std::size_t>(layers));
    constexpr const char* sparse = "compressed_sparse_attention";
    constexpr const char* compressed = "heavily_compressed_attention";
    if (const auto named = config.layers_of_type(layers, "sliding_attention", {sparse, compressed})) {
        for (const Json& type : *config.find("layer_types"))
            kinds.push_back(type == sparse       ? V4Layer::sparse
                            : type == compressed ? V4Layer::compressed
                                                 : V4Layer::window);
        return kinds;
    }
    const Json* ratios = config.find("compress_ratios");
    if (ratios != nullptr && (!ratios->is_array() || static_cast<std::int64_t>(ratios->size()) < layers))
        refuse(config, fmt::format("compress_ratios is not a list of {} ratios", layers));
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        if (ratios == nullptr) {
            kinds.push_back(layer < 2 || layer % 2 == 0 ? V4Layer::compressed : V4Layer::sparse);
            continue;
        }
        const Json& ratio = (*ratios)[static_cast<std::size_t>(layer)];
        if (ratio != 0 && ratio != 4 && ratio != 128)
            refuse(config,
                   fmt::format("compress_ratios: {} is none of 0, 4 and 128", config::excerpt(ratio.dump())));
        kinds.push_back(ratio == 0 ? V4Layer::window : ratio == 4 ? V4Layer::sparse : V4Layer::compressed);
    }
    return kinds;
}

/// Tokens in a compressed one.
std::int64_t v4_ratio(V4Layer kind) {
    return kind == V4Layer::sparse ? 4 : 128;
}

/// The ratios of the template: transformers writes both, older files state each by itself.
void require_v4_ratios(ConfigFile& config) {
    const auto require = [&](const Json* stated, const char* field, V4Layer kind) {
        if (stated == nullptr || *stated == v4_ratio(kind)) return;
        refuse(config, fmt::format("{} is {}, and that of the template deepseek_v4 is {}", field,
                                   config::excerpt(stated->dump()), v4_ratio(kind)));
    };
    require(config.find("compress_rate_csa"), "compress_rate_csa", V4Layer::sparse);
    require(config.find("compress_rate_hca"), "compress_rate_hca", V4Layer::compressed);
    const Json* rates = config.find("compress_rates");
    if (rates == nullptr || !rates->is_object()) return;
    const auto of = [&](const char* name) {
        const auto found = rates->find(name);
        return found == rates->end() ? nullptr : &*found;
    };
    require(of("compressed_sparse_attention"), "compress_rates", V4Layer::sparse);
    require(of("heavily_compressed_attention"), "compress_rates", V4Layer::compressed);
}

/// Parameters of one layer: two mixes of streams with three scales each, norms, attention with a sink of each
/// head, a mixture; what compresses tokens, and an indexer.
std::int64_t v4_parameters(const Symbols& symbols, V4Layer kind) {
    const auto of = [&](const char* name) { return symbol(symbols, name); };
    const std::int64_t h = of("h");
    const std::int64_t d = of("d");
    const std::int64_t mix = (2 + of("streams")) * of("streams");
    const std::int64_t rank = of("q_rank");
    const std::int64_t mixture =
        h * of("experts") + of("experts") * 3 * h * of("fe") + 3 * h * of("fs") + 2 * h;
    const std::int64_t attention = h * (rank + d) + rank + rank * of("n") * d + d + of("n") +
                                   of("n") * d * of("o_rank") + of("groups") * of("o_rank") * h;
    const std::int64_t layer = 2 * (of("streams") * h * mix + mix + 3) + attention + mixture;
    if (kind == V4Layer::window) return layer;
    // Compressed tokens of the sparse kind overlap: each comes from twice as many numbers.
    const std::int64_t parts = kind == V4Layer::sparse ? 2 : 1;
    const std::int64_t compression = 2 * parts * h * d + v4_ratio(kind) * parts * d + d;
    if (kind == V4Layer::compressed) return layer + compression;
    const std::int64_t di = of("di");
    const std::int64_t indexer =
        rank * of("ni") * di + h * 4 * di + v4_ratio(kind) * 2 * di + di + h * of("ni");
    return layer + compression + indexer;
}

/// \throws InputError if the template deepseek_v4 has no such model
Symbols v4_symbols(ConfigFile& config) {
    const std::int64_t layers = config.size("num_hidden_layers");
    require_layers(config, layers);
    const std::int64_t h = config.size("hidden_size");
    const std::int64_t n = config.size("num_attention_heads");
    const std::int64_t d = config.size("head_dim", 512);
    const std::int64_t m = config.size("hc_mult", 4);
    config.add_size("hc_mult", m * m);  // streams that are mixed with each other stand three times in a term
    const std::int64_t rank = config.size("q_lora_rank");
    const std::int64_t o_rank = config.size("o_lora_rank", 1024);
    const std::int64_t groups = config.size("o_groups", 8);
    const std::int64_t ni = config.size("index_n_heads", 64);
    const std::int64_t di = config.size("index_head_dim", 128);
    const std::int64_t fe = config.size("moe_intermediate_size");
    const std::int64_t fs = fe * config.count("n_shared_experts", 1);
    const std::int64_t experts = config.size("n_routed_experts");
    const std::int64_t vocab = config.size("vocab_size");
    if (fs == 0) refuse(config, "it has no shared expert, and the template deepseek_v4 has one");
    if (config.size("num_key_value_heads", 1) != 1)
        refuse(config,
               "its attention has several heads of keys, and that of the template deepseek_v4 has one");
    if (n % groups != 0) refuse(config, fmt::format("{} heads do not fit {} groups (o_groups)", n, groups));
    require_v4_ratios(config);
    if (d % v4_ratio(V4Layer::compressed) != 0 || di % v4_ratio(V4Layer::sparse) != 0)
        refuse(config,
               fmt::format("heads of {} and an indexer's of {} do not fit ratios of 128 and 4", d, di));
    return {{"layers", layers},
            {"h", h},
            {"n", n},
            {"d", d},
            {"streams", m},
            {"q_rank", rank},
            {"o_rank", o_rank},
            {"groups", groups},
            {"window", config.size("sliding_window", 128)},
            {"ni", ni},
            {"di", di},
            {"selected", config.size("index_topk")},
            {"fe", fe},
            {"fs", fs},
            {"experts", experts},
            {"top_k", config.size("num_experts_per_tok")},
            {"vocab", vocab}};
}

/// DeepSeek-V4: compressed attention, residuals of several streams, mixtures in all layers.
ImportedModel deepseek_v4(ConfigFile& config, std::string name) {
    ImportedModel model{
        .name = std::move(name), .template_name = "deepseek_v4", .symbols = v4_symbols(config)};
    for (const char* unused :
         {"hc_eps", "hc_sinkhorn_iters", "num_hash_layers", "mlp_layer_types", "compress_rope_theta",
          "qk_rope_head_dim", "scoring_func", "topk_method", "norm_topk_prob", "swiglu_limit", "expert_dtype",
          "attention_bias", "mlp_bias"})
        config.find(unused);
    const auto of = [&](const char* symbol_name) { return symbol(model.symbols, symbol_name); };
    const std::int64_t h = of("h");
    const std::int64_t m = of("streams");
    model.parameters = 2 * of("vocab") * h + h + m * m * h + m + 1;
    model.blocks = {{"embedding"}};
    for (const V4Layer kind : v4_layers(config, of("layers"))) {
        model.parameters += v4_parameters(model.symbols, kind);
        if (kind == V4Layer::window) {
            add_layer({"window_layer"}, model.blocks);
            continue;
        }
        const bool sparse = kind == V4Layer::sparse;
        const std::int64_t ratio = v4_ratio(kind);
        add_layer({sparse ? "sparse_layer" : "compressed_layer", 1, {{"ratio", ratio}}}, model.blocks);
    }
    model.blocks.push_back({"head"});
    model.counted_in_prefill = true;
    model.left_out = {"attention sinks (one number per head)", "three scales of each mix of streams",
                      "the indexer while training"};
    note_further_tokens(config.count("num_nextn_predict_layers", 0), "layer", model);
    note_tie(config.flag("tie_word_embeddings", false), model);
    note_activation(config, model);
    return model;
}

}  // namespace

std::span<const ModelFamily> latent_families() {
    static constexpr ModelFamily families[] = {
        {"deepseek_v2", &deepseek},       {"deepseek_v3", &deepseek},    {"kimi_k2", &deepseek},
        {"glm4_moe_lite", &deepseek},     {"deepseek_v32", &indexed},    {"glm_moe_dsa", &indexed},
        {"kimi_linear", &direct_queries}, {"deepseek_v4", &deepseek_v4},
    };
    return families;
}

}  // namespace dse::app
