#include "app/hugging_face/family.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::app {

void refuse(const ConfigFile& config, const std::string& why) {
    throw InputError(fmt::format("{}: {}", config.path().string(), why));
}

Symbols dense_symbols(const DecoderSizes& sizes, std::int64_t f) {
    return {{"layers", sizes.layers}, {"h", sizes.h}, {"n", sizes.n},        {"k", sizes.k},
            {"d", sizes.d},           {"f", f},       {"vocab", sizes.vocab}};
}

Symbols expert_symbols(const DecoderSizes& sizes, std::int64_t f, std::int64_t experts, std::int64_t top) {
    Symbols symbols = dense_symbols(sizes, f);
    symbols.insert(symbols.end() - 1, {{"experts", experts}, {"top_k", top}});
    return symbols;
}

std::vector<ImportedBlock> stack_of(const std::string& layer, const std::string& window_layer,
                                    const Windows& windows, const std::string& head) {
    std::vector<ImportedBlock> blocks{{"embedding"}};
    add_in_order(windows.of_layers, {window_layer, 1, {{"window", windows.tokens}}}, {layer}, blocks);
    blocks.push_back({head});
    return blocks;
}

void add_layer(const ImportedBlock& layer, std::vector<ImportedBlock>& blocks) {
    if (!blocks.empty() && blocks.back().name == layer.name && blocks.back().symbols == layer.symbols)
        ++blocks.back().count;
    else
        blocks.push_back(layer);
}

void add_in_order(const std::vector<bool>& are, const ImportedBlock& block, const ImportedBlock& other,
                  std::vector<ImportedBlock>& blocks) {
    for (const bool is : are) add_layer(is ? block : other, blocks);
}

Windows windows_of_all(ConfigFile& config, std::int64_t layers) {
    const std::int64_t tokens = config.count("sliding_window", 0);
    const std::int64_t longest = config.count("max_position_embeddings", 0);
    const bool have = tokens > 0 && (longest == 0 || tokens < longest);
    return {tokens, std::vector<bool>(static_cast<std::size_t>(layers), have)};
}

std::int64_t dense_layers_of(ConfigFile& config, std::int64_t layers, std::int64_t otherwise) {
    const std::int64_t dense = config.count("first_k_dense_replace", otherwise);
    const Json* kinds = config.find("mlp_layer_types");
    const std::int64_t counted = kinds != nullptr && kinds->is_array()
                                     ? std::count(kinds->begin(), kinds->end(), Json("dense"))
                                     : dense;
    if (counted > layers) refuse(config, "more dense layers than layers");
    return counted;
}

void note_activation(ConfigFile& config, ImportedModel& model) {
    const Json* activation = config.find("hidden_act");
    const Json* other = config.find("hidden_activation");
    if (activation == nullptr) activation = other;
    if (activation == nullptr || !activation->is_string()) return;
    const auto name = activation->get<std::string>();
    if (name.find("relu") != std::string::npos)
        model.left_out.emplace_back("its activation " + name +
                                    " (replaced by a gated SiLU of the same shape)");
}

void note_biases(ConfigFile& config, ImportedModel& model) {
    if (config.flag("attention_bias", false)) model.left_out.emplace_back("biases of attention");
}

void note_tie(bool tied, ImportedModel& model) {
    if (tied) model.left_out.emplace_back("the tie of head and embedding (here they are two tables)");
}

void note_further_tokens(std::int64_t parts, std::string_view name, ImportedModel& model,
                         std::string_view but) {
    if (parts <= 0) return;
    const bool one = parts == 1;
    model.left_out.push_back(fmt::format("{} {}{} that predict{} further tokens{}", parts, name,
                                         one ? "" : "s", one ? "s" : "", but));
}

}  // namespace dse::app
