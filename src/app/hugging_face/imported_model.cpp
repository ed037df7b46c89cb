#include "app/hugging_face/imported_model.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/hugging_face/block_list.hpp"
#include "app/hugging_face/context_length.hpp"
#include "app/hugging_face/family.hpp"
#include "app/hugging_face/known_families.hpp"
#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/source_text.hpp"

namespace dse::app {
namespace {

void note_quantization(ConfigFile& config, ImportedModel& model) {
    const Json* quantization = config.find("quantization_config");
    if (quantization == nullptr) return;
    std::string method;
    if (quantization->is_object()) {
        const auto stated = quantization->find("quant_method");
        if (stated != quantization->end() && stated->is_string()) method = stated->get<std::string>();
    }
    model.left_out.push_back(
        fmt::format("the format of its published weights, {} (set `precision` in the sweep)",
                    method.empty() ? "quantized numbers" : method));
}

/// Frameworks pad a vocabulary before they split it over tp, each in its own way; the file has the size of
/// the weights.
void note_padding(ImportedModel& model) {
    constexpr std::int64_t widest_node = 8;
    constexpr std::int64_t padding = 128;
    for (const auto& [name, size] : model.symbols) {
        if (name != "vocab" || size % widest_node == 0) continue;
        model.left_out.push_back(fmt::format(
            "the padding that frameworks add to the vocabulary to split it over tp: {} is not divisible by "
            "{}; the next multiple of {} is {}",
            size, widest_node, padding, (size + padding - 1) / padding * padding));
    }
}

/// Whether the length of a sequence is that of a table of learned positions, which the template states.
bool has_positions(const ImportedModel& model) {
    const auto states = [](const auto& symbols) {
        return std::ranges::any_of(symbols, [](const auto& symbol) { return symbol.first == "positions"; });
    };
    return states(model.symbols) || std::ranges::any_of(model.blocks, [&](const ImportedBlock& block) {
               return states(block.symbols);
           });
}

/// Text of a foreign file without characters that could end a line, a quote or a comment.
std::string plain_line(const std::string& text) {
    constexpr std::size_t longest = 200;
    std::string line;
    for (const unsigned char c : text.substr(0, longest))
        line += c < 0x20 || c == 0x7F || c == '"' || c == '\\' ? '_' : static_cast<char>(c);
    return line;
}

std::vector<ModelFamily> all_families() {
    std::vector<ModelFamily> all;
    for (const auto part : {gated_families(), gelu_families(), expert_families(), latent_families(),
                            hybrid_families(), encoder_families(), other_families()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace

std::vector<std::string> importable_types() {
    std::vector<std::string> types;
    for (const ModelFamily& family : all_families()) types.emplace_back(family.type);
    return types;
}

ImportedModel imported_model(ConfigFile& config, std::string name) {
    for (const ModelFamily& family : all_families()) {
        if (config.model_type() != family.type) continue;
        ImportedModel model = family.make(config, std::move(name));
        note_quantization(config, model);
        note_padding(model);
        if (!has_positions(model)) model.context = context_length(config);
        return model;
    }
    const std::string why = why_without_template(config.model_type());
    refuse(config,
           fmt::format("there is no template for model_type '{}'{}", config::excerpt(config.model_type()),
                       why.empty() ? suggestion(config.model_type(), importable_types()) : ": " + why));
}

std::string model_yaml(const ImportedModel& model, const std::string& source) {
    std::string text = fmt::format("# Written by `dse import` from {}: {} parameters there.\n",
                                   plain_line(source), model.parameters);
    for (const std::string& missing : model.left_out)
        text += "# Not modelled: " + plain_line(missing) + ".\n";
    std::vector<std::string> symbols;
    for (const auto& [name, value] : model.symbols) symbols.push_back(fmt::format("{}: {}", name, value));
    return text +
           fmt::format("name: \"{}\"\nsource: \"{}\"\n{}template: {}\nsymbols: {{{}}}\nblocks:{}", model.name,
                       plain_line(source),
                       model.context > 0 ? fmt::format("context: {}\n", model.context) : "",
                       model.template_name, fmt::join(symbols, ", "), block_list(model.blocks)) +
           (model.draft_heads > 0 ? fmt::format("draft_heads: {}\n", model.draft_heads) : "");
}

}  // namespace dse::app
