#include "app/hugging_face/imported_model.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/hugging_face/decoder_sizes.hpp"
#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"

namespace dse::app {
namespace {

using Symbols = std::vector<std::pair<std::string, std::int64_t>>;

[[noreturn]] void refuse(const ConfigFile& config, const std::string& why) {
    throw InputError(fmt::format("{}: {}", config.path().string(), why));
}

Symbols dense_symbols(const DecoderSizes& sizes, std::int64_t f) {
    return {{"layers", sizes.layers}, {"h", sizes.h}, {"n", sizes.n},        {"k", sizes.k},
            {"d", sizes.d},           {"f", f},       {"vocab", sizes.vocab}};
}

/// Embedding, layers (some with windowed attention), head.
std::vector<ImportedBlock> stack_of(const std::string& layer, const std::string& window_layer,
                                    const DecoderSizes& sizes, const Windows& windows,
                                    const std::string& head) {
    std::vector<ImportedBlock> blocks{{"embedding"}};
    if (windows.layers > 0) blocks.push_back({window_layer, windows.layers, windows.tokens});
    if (windows.layers < sizes.layers) blocks.push_back({layer, sizes.layers - windows.layers});
    blocks.push_back({head});
    return blocks;
}

/// All layers have the window, unless it is as long as the longest sequence.
Windows windows_of_all(ConfigFile& config, std::int64_t layers) {
    Windows windows{0, config.size("sliding_window", 0)};
    const std::int64_t longest = config.size("max_position_embeddings", 0);
    if (windows.tokens > 0 && (longest == 0 || windows.tokens < longest)) windows.layers = layers;
    return windows;
}

void require_silu(ConfigFile& config, ImportedModel& model) {
    const Json* act = config.find("hidden_act");
    if (act == nullptr) act = config.find("hidden_activation");
    config.find("hidden_activation");
    if (act != nullptr && act->is_string() && act->get<std::string>().find("relu") != std::string::npos)
        model.left_out.push_back("its activation is " + act->get<std::string>() +
                                 "; a gated SiLU takes its place, of the same shape");
}

/// Llama, Mistral, Phi-3: RMSNorm, rotary positions, a gated MLP.
ImportedModel llama_like(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "llama"};
    const DecoderSizes sizes = decoder_sizes(config, false);
    const std::int64_t f = config.size("intermediate_size");
    const bool biased = config.flag("attention_bias", false);
    const bool mlp_biased = config.flag("mlp_bias", false);
    const Windows windows = windows_of_all(config, sizes.layers);
    require_silu(config, model);
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
    const DecoderSizes sizes = decoder_sizes(config, false);
    const std::int64_t f = config.size("intermediate_size");
    const bool uses_windows = config.flag("use_sliding_window", false);
    const std::int64_t first = config.size("max_window_layers", sizes.layers);
    Windows windows = windows_by_type(config, sizes.layers, 0);
    if (uses_windows && windows.layers == 0) windows.layers = std::max<std::int64_t>(sizes.layers - first, 0);
    if (!uses_windows) windows.layers = 0;
    require_silu(config, model);
    model.symbols = dense_symbols(sizes, f);
    model.parameters = sizes.tables() + sizes.h +
                       sizes.layers * (sizes.attention() + sizes.qkv() + 3 * sizes.h * f + 2 * sizes.h);
    model.blocks =
        stack_of("biased_layer", "biased_window_layer", sizes, windows, sizes.tied ? "tied_head" : "head");
    return model;
}

ImportedModel qwen3(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "qwen3"};
    const DecoderSizes sizes = decoder_sizes(config, false);
    const std::int64_t f = config.size("intermediate_size");
    config.find("max_window_layers");
    config.find("layer_types");
    if (config.flag("use_sliding_window", false))
        model.left_out.push_back("the window of its upper layers: all attend to everything here");
    config.find("sliding_window");
    if (config.flag("attention_bias", false)) model.left_out.push_back("biases of attention");
    require_silu(config, model);
    model.symbols = dense_symbols(sizes, f);
    model.parameters = sizes.tables() + sizes.h +
                       sizes.layers * (sizes.attention() + 2 * sizes.d + 3 * sizes.h * f + 2 * sizes.h);
    model.blocks = {{"embedding"}, {"decoder_layer", sizes.layers}, {sizes.tied ? "tied_head" : "head"}};
    return model;
}

void require_untied(const DecoderSizes& sizes, ImportedModel& model) {
    if (sizes.tied) model.left_out.push_back("the tie of head and embedding: they are two tables here");
}

Symbols expert_symbols(const DecoderSizes& sizes, std::int64_t f, std::int64_t experts, std::int64_t top) {
    Symbols symbols = dense_symbols(sizes, f);
    symbols.insert(symbols.end() - 1, {{"experts", experts}, {"top_k", top}});
    return symbols;
}

ImportedModel qwen3_moe(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "qwen3_moe"};
    const DecoderSizes sizes = decoder_sizes(config, false);
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
        model.left_out.push_back("the window of its upper layers: all attend to everything here");
    if (config.flag("attention_bias", false)) model.left_out.push_back("biases of attention");
    require_untied(sizes, model);
    require_silu(config, model);
    model.symbols = expert_symbols(sizes, f, experts, top);
    model.parameters = sizes.tables() + sizes.h +
                       sizes.layers * (sizes.attention() + 2 * sizes.d + 2 * sizes.h + sizes.h * experts +
                                       experts * 3 * sizes.h * f);
    model.blocks = {{"embedding"}, {"moe_layer", sizes.layers}, {"head"}};
    return model;
}

ImportedModel mixtral(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "mixtral"};
    const DecoderSizes sizes = decoder_sizes(config, false);
    const std::int64_t f = config.size("intermediate_size");
    const std::int64_t experts = config.size("num_local_experts");
    const std::int64_t top = config.size("num_experts_per_tok");
    if (windows_of_all(config, sizes.layers).layers > 0)
        model.left_out.push_back("its sliding window: all layers attend to everything here");
    require_untied(sizes, model);
    require_silu(config, model);
    model.symbols = expert_symbols(sizes, f, experts, top);
    model.parameters =
        sizes.tables() + sizes.h +
        sizes.layers * (sizes.attention() + 2 * sizes.h + sizes.h * experts + experts * 3 * sizes.h * f);
    model.blocks = {{"embedding"}, {"moe_layer", sizes.layers}, {"head"}};
    return model;
}

ImportedModel gpt_oss(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "gpt_oss"};
    const DecoderSizes sizes = decoder_sizes(config, false);
    const std::int64_t f = config.size("intermediate_size");
    const std::int64_t experts = config.size("num_local_experts");
    const std::int64_t top = config.size("experts_per_token", config.size("num_experts_per_tok", 4));
    const Windows windows = windows_by_type(config, sizes.layers, 2);
    const bool biased = config.flag("attention_bias", true);
    for (const char* same : {"experts_per_token", "num_experts_per_tok"}) config.find(same);
    require_untied(sizes, model);
    require_silu(config, model);
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
    model.left_out.push_back("attention sinks: a number a head");
    model.left_out.push_back("biases of attention, router and experts");
    return model;
}

/// Latent attention of DeepSeek-V2 and V3: weights and norms of one layer.
std::int64_t latent_attention(const Symbols& symbols) {
    const auto of = [&](const char* name) {
        return std::find_if(symbols.begin(), symbols.end(),
                            [&](const auto& symbol) { return symbol.first == name; })
            ->second;
    };
    const std::int64_t n = of("n");
    return of("h") * of("q_rank") + of("q_rank") + of("q_rank") * n * (of("nope") + of("rope")) +
           of("h") * (of("kv_rank") + of("rope")) + of("kv_rank") +
           of("kv_rank") * n * (of("nope") + of("value")) + n * of("value") * of("h");
}

void note_routing(ConfigFile& config, ImportedModel& model) {
    const std::int64_t groups = config.size("n_group", 1);
    const std::int64_t chosen = config.size("topk_group", groups);
    if (chosen < groups)
        model.left_out.push_back(
            fmt::format("routing limited to {} of {} groups of experts: every token may go anywhere here",
                        chosen, groups));
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
    const std::int64_t dense = config.size("first_k_dense_replace", 0);
    const std::int64_t fe = config.size("moe_intermediate_size");
    const std::int64_t fs = fe * config.size("n_shared_experts", 0);
    const std::int64_t h = config.size("hidden_size");
    const std::int64_t f = config.size("intermediate_size");
    const std::int64_t experts = config.size("n_routed_experts");
    const std::int64_t vocab = config.size("vocab_size");
    if (fs == 0) refuse(config, "it has no shared expert, and the template deepseek_v3 has one");
    if (dense > layers) refuse(config, "more dense layers than layers");
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
    const bool corrected = config.model_type() == "deepseek_v3";
    model.parameters =
        2 * vocab * h + h + layers * (latent_attention(model.symbols) + 2 * h) + dense * 3 * h * f +
        (layers - dense) * (h * experts + experts * 3 * h * fe + 3 * h * fs + (corrected ? experts : 0));
    model.blocks = {{"embedding"}};
    if (dense > 0) model.blocks.push_back({"dense_layer", dense});
    if (dense < layers) model.blocks.push_back({"moe_layer", layers - dense});
    model.blocks.push_back({"head"});
    if (corrected) model.left_out.push_back("the router's correction biases, which have no gradient");
    note_routing(config, model);
    config.find("attention_bias");
    if (config.flag("tie_word_embeddings", false))
        model.left_out.push_back("the tie of head and embedding: they are two tables here");
    require_silu(config, model);
    return model;
}

/// \param norms  norms per layer: two in Gemma, four in Gemma 2 and 3
ImportedModel gemma_like(ConfigFile& config, std::string name, std::int64_t norms, std::int64_t pattern,
                         const std::string& layer, bool normed_heads) {
    ImportedModel model{.name = std::move(name), .template_name = "decoder"};
    const DecoderSizes sizes = decoder_sizes(config, true);
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
    if (config.flag("attention_bias", false)) model.left_out.push_back("biases of attention");
    model.left_out.push_back("its gated GELU: a gated SiLU takes its place, of the same shape");
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

ImportedModel gpt_neox(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "decoder"};
    if (!config.flag("use_parallel_residual", true))
        refuse(config,
               "attention and MLP follow one another (use_parallel_residual: false), and the template "
               "decoder has no such layer with biases");
    const DecoderSizes sizes = decoder_sizes(config, false);
    const std::int64_t f = config.size("intermediate_size");
    const std::int64_t h = sizes.h;
    const bool biased = config.flag("attention_bias", true);
    config.find("hidden_act");
    model.symbols = dense_symbols(sizes, f);
    model.parameters =
        sizes.tables() + 2 * h +
        sizes.layers * (sizes.attention() + (biased ? sizes.qkv() + h : 0) + 2 * h * f + f + h + 4 * h);
    model.blocks = {{"embedding"}, {"parallel_layer", sizes.layers}, {"layer_norm_head"}};
    model.left_out.push_back("biases of attention and MLP");
    if (sizes.tied) model.left_out.push_back("the tie of head and embedding: they are two tables here");
    return model;
}

ImportedModel phi(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "decoder"};
    const DecoderSizes sizes = decoder_sizes(config, false);
    const std::int64_t f = config.size("intermediate_size", 4 * sizes.h);
    const std::int64_t h = sizes.h;
    if (config.flag("qk_layernorm", false)) model.left_out.push_back("norms of queries and keys");
    config.find("hidden_act");
    model.symbols = dense_symbols(sizes, f);
    model.parameters = sizes.tables() + sizes.vocab + 2 * h +
                       sizes.layers * (sizes.attention() + sizes.qkv() + h + 2 * h * f + f + h + 2 * h);
    model.blocks = {{"embedding"}, {"parallel_one_norm_layer", sizes.layers}, {"layer_norm_biased_head"}};
    model.left_out.push_back("biases of attention and MLP");
    if (sizes.tied) model.left_out.push_back("the tie of head and embedding: they are two tables here");
    return model;
}

struct ModelFamily {
    const char* type;
    ImportedModel (*make)(ConfigFile& config, std::string name);
};

constexpr ModelFamily families[] = {
    {"llama", &llama_like}, {"mistral", &llama_like},   {"phi3", &llama_like},
    {"qwen2", &qwen2},      {"qwen3", &qwen3},          {"qwen3_moe", &qwen3_moe},
    {"mixtral", &mixtral},  {"deepseek_v2", &deepseek}, {"deepseek_v3", &deepseek},
    {"gpt_oss", &gpt_oss},  {"gemma", &gemma},          {"gemma2", &gemma2},
    {"gemma3", &gemma3},    {"gemma3_text", &gemma3},   {"gpt_neox", &gpt_neox},
    {"phi", &phi},
};

void note_quantization(ConfigFile& config, ImportedModel& model) {
    const Json* quantization = config.find("quantization_config");
    if (quantization == nullptr) return;
    const std::string method = quantization->is_object() ? quantization->value("quant_method", "") : "";
    model.left_out.push_back(fmt::format("that its weights are published as {} (a sweep says `precision`)",
                                         method.empty() ? "quantised numbers" : method));
}

/// Text of a foreign file without characters that could end a line, a quote or a comment.
std::string plain_line(const std::string& text) {
    constexpr std::size_t longest = 200;
    std::string line;
    for (const unsigned char c : text.substr(0, longest))
        line += c < 0x20 || c == 0x7F || c == '"' || c == '\\' ? '_' : static_cast<char>(c);
    return line;
}

std::string block_text(const ImportedBlock& block) {
    if (block.window > 0)
        return fmt::format("{}: {{count: {}, window: {}}}", block.name, block.count, block.window);
    return block.count == 1 ? block.name : fmt::format("{}: {}", block.name, block.count);
}

}  // namespace

std::vector<std::string> importable_types() {
    std::vector<std::string> types;
    for (const ModelFamily& family : families) types.emplace_back(family.type);
    return types;
}

ImportedModel imported_model(ConfigFile& config, std::string name) {
    for (const ModelFamily& family : families) {
        if (config.model_type() != family.type) continue;
        ImportedModel model = family.make(config, std::move(name));
        note_quantization(config, model);
        return model;
    }
    refuse(config, fmt::format("no template stands for model_type '{}'{}", config.model_type(),
                               suggestion(config.model_type(), importable_types())));
}

std::string model_yaml(const ImportedModel& model, const std::string& source) {
    std::string text = fmt::format("# Written by `dse import` from {}: {} parameters there.\n",
                                   plain_line(source), model.parameters);
    for (const std::string& missing : model.left_out) text += "# Left out: " + plain_line(missing) + ".\n";
    std::vector<std::string> symbols;
    for (const auto& [name, value] : model.symbols) symbols.push_back(fmt::format("{}: {}", name, value));
    std::vector<std::string> blocks;
    for (const ImportedBlock& block : model.blocks) blocks.push_back(block_text(block));
    return text +
           fmt::format("name: \"{}\"\nsource: \"{}\"\ntemplate: {}\nsymbols: {{{}}}\nblocks: [{}]\n",
                       model.name, plain_line(source), model.template_name, fmt::join(symbols, ", "),
                       fmt::join(blocks, ", ")) +
           (model.draft_heads > 0 ? fmt::format("draft_heads: {}\n", model.draft_heads) : "");
}

}  // namespace dse::app
