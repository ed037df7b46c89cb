#include "app/hugging_face/config_file.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/hugging_face/fields_without_effect.hpp"
#include "app/hugging_face/known_families.hpp"
#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/source_text.hpp"

namespace dse::app {
namespace {

/// Quantized models list the weights that are not quantized.
constexpr std::uintmax_t largest_file = 16U << 20U;
constexpr std::uint64_t largest_size = std::uint64_t{1} << 40U;

std::string text_of(const std::filesystem::path& path) {
    std::ifstream stream{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, std::istreambuf_iterator<char>{}};
}

/// Python writes numbers that JSON does not have: `"time_step_limit": [0.0, Infinity]` is in every
/// configuration of Mamba-2. They become null here, as if the field were not stated.
std::string strict_json(const std::string& text) {
    std::string strict;
    strict.reserve(text.size());
    bool quoted = false;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '"') quoted = !quoted;
        if (quoted && text[at] == '\\') {
            strict += text.substr(at, 2);
            at += 2;
            continue;
        }
        std::size_t skipped = 0;
        if (!quoted) {
            for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
                if (text.compare(at, word.size(), word) != 0) continue;
                skipped = word.size();
                break;
            }
        }
        strict += skipped > 0 ? "null" : text.substr(at, 1);
        at += std::max<std::size_t>(skipped, 1);
    }
    return strict;
}

Json read_json(const std::filesystem::path& path) {
    std::error_code ignored;
    const auto bytes = std::filesystem::file_size(path, ignored);
    if (ignored) throw InputError(fmt::format("{}: cannot be read ({})", path.string(), ignored.message()));
    if (bytes > largest_file)
        throw InputError(fmt::format("{}: too large for a model's configuration", path.string()));
    try {
        return Json::parse(strict_json(text_of(path)));
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("{}: no JSON ({})", path.string(), error.what()));
    }
}

/// The field that contains the text model of several parts; nullptr if the model is one part. Names by
/// transformers, DeepSeek-VL, InternVL, and Qwen's models of speech.
const char* text_part(const Json& json) {
    for (const char* name : {"text_config", "language_config", "llm_config", "thinker_config"}) {
        if (const auto part = json.find(name); part != json.end() && part->is_object()) return name;
    }
    return nullptr;
}

/// Sizes of the classes of transformers (5.24): LlamaConfig() is Llama 7B, Gemma3TextConfig() has the heads
/// of Gemma 3 4B.
struct ClassSizes {
    std::string_view type;
    std::int64_t hidden_size, intermediate_size, num_hidden_layers, num_attention_heads, num_key_value_heads,
        head_dim, vocab_size;
};
constexpr auto class_sizes = std::to_array<ClassSizes>({
    {"llama", 4096, 11008, 32, 32, 0, 0, 32000},
    {"mistral", 4096, 14336, 32, 32, 8, 0, 32000},
    {"gemma", 3072, 24576, 28, 16, 16, 256, 256000},
    {"gemma2", 2304, 9216, 26, 8, 4, 256, 256000},
    {"gemma3_text", 2304, 9216, 26, 8, 4, 256, 262208},
    {"qwen2", 4096, 22016, 32, 32, 32, 0, 151936},
    {"qwen3", 4096, 22016, 32, 32, 32, 128, 151936},
});

enum class SizeKind : std::uint8_t { layers, length, width };

SizeKind kind_of(std::string_view field) {
    const auto has = [&](std::initializer_list<std::string_view> parts) {
        return std::ranges::any_of(
            parts, [&](std::string_view part) { return field.find(part) != std::string_view::npos; });
    };
    if (has({"layers", "n_layer", "mtp_modules"})) return SizeKind::layers;
    return has({"vocab", "position", "window", "chunk"}) ? SizeKind::length : SizeKind::width;
}

}  // namespace

void ConfigFile::add_defaults() {
    const auto sizes = std::ranges::find(class_sizes, std::string_view{model_type_}, &ClassSizes::type);
    if (sizes == class_sizes.end()) return;
    // Heads follow from each other: a file that states some of them does not mean the others of the class.
    const bool states_heads = json_.contains("num_attention_heads");
    for (const auto& [field, value] : std::initializer_list<std::pair<const char*, std::int64_t>>{
             {"hidden_size", sizes->hidden_size},
             {"intermediate_size", sizes->intermediate_size},
             {"num_hidden_layers", sizes->num_hidden_layers},
             {"num_attention_heads", sizes->num_attention_heads},
             {"num_key_value_heads", states_heads && sizes->num_key_value_heads == sizes->num_attention_heads
                                         ? 0
                                         : sizes->num_key_value_heads},
             {"head_dim", sizes->head_dim},
             {"vocab_size", sizes->vocab_size}}) {
        if (value == 0 || json_.contains(field)) continue;
        json_[field] = value;
        defaults_.emplace_back(field, value);
    }
}

ConfigFile::ConfigFile(const std::filesystem::path& path) : path_{path}, json_(read_json(path)) {
    if (!json_.is_object())
        throw InputError(
            fmt::format("{}: not a JSON object, so it is not a model's configuration", path.string()));
    bool is_part = false;
    while (const char* const part = text_part(json_)) {
        is_part = true;
        for (const auto& [key, value] : json_.items()) {
            if (key.ends_with("_config") && key != part && key != "quantization_config" && value.is_object())
                outside_.push_back(key);
        }
        Json inner = json_[part];
        for (const char* shared :
             {"architectures", "model_type", "tie_word_embeddings", "torch_dtype", "quantization_config"}) {
            if (json_.contains(shared) && !inner.contains(shared)) inner[shared] = json_[shared];
        }
        json_ = std::move(inner);
    }
    const Json* type = find("model_type");
    // Parts of a pipeline of diffusers state their class instead.
    if (const Json* part = find("_class_name"); type == nullptr && part != nullptr && part->is_string()) {
        const std::string why = why_without_template(part->get<std::string>());
        throw InputError(fmt::format("{}: there is no template for {}{}", path.string(),
                                     part->get<std::string>(), why.empty() ? "" : ": " + why));
    }
    if (type == nullptr || !type->is_string())
        throw InputError(
            fmt::format("{}: has no model_type, so it is not a model's configuration", path.string()));
    model_type_ = type->get<std::string>();
    if (is_part) add_defaults();
}

std::string ConfigFile::architecture() const {
    const auto list = json_.find("architectures");
    if (list == json_.end() || !list->is_array() || list->empty() || !list->front().is_string()) return {};
    return list->front().get<std::string>();
}

const Json* ConfigFile::find(const std::string& field) {
    asked_.insert(field);
    const auto found = json_.find(field);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
}

std::optional<std::vector<bool>> ConfigFile::layers_of_type(std::int64_t layers, std::string_view type,
                                                            std::initializer_list<const char*> others) {
    const Json* types = find("layer_types");
    if (types == nullptr) return std::nullopt;
    const bool are_names =
        types->is_array() &&
        std::all_of(types->begin(), types->end(), [](const Json& name) { return name.is_string(); });
    if (!are_names || static_cast<std::int64_t>(types->size()) != layers)
        throw InputError(
            are_names ? fmt::format("{}: layer_types names {} layers, num_hidden_layers says {}",
                                    path_.string(), types->size(), layers)
                      : fmt::format("{}: layer_types is not a list of names, one per layer", path_.string()));
    std::vector<bool> are;
    are.reserve(types->size());
    for (const Json& name : *types) {
        are.push_back(name == type);
        if (are.back() || std::ranges::find(others, name.get<std::string>()) != others.end()) continue;
        std::vector<std::string> known{others.begin(), others.end()};
        known.insert(known.begin(), std::string{type});
        throw InputError(fmt::format("{}: layer_types: '{}' is not a kind of layer that is known here ({}){}",
                                     path_.string(), config::excerpt(name.get<std::string>()),
                                     fmt::join(known, ", "), suggestion(name.get<std::string>(), known)));
    }
    return are;
}

std::int64_t ConfigFile::size(const std::string& field) {
    if (find(field) == nullptr) throw InputError(fmt::format("{}: {} is missing", path_.string(), field));
    return size(field, 0);
}

std::int64_t ConfigFile::size(const std::string& field, std::int64_t otherwise) {
    return integer(field, 1, otherwise, "a size");
}

std::int64_t ConfigFile::count(const std::string& field, std::int64_t otherwise) {
    return integer(field, 0, otherwise, "a number of something");
}

std::int64_t ConfigFile::integer(const std::string& field, std::int64_t least, std::int64_t otherwise,
                                 const char* what) {
    const Json* value = find(field);
    if (value == nullptr) {
        add_size(field, otherwise);
        return otherwise;
    }
    // Numbers above 2^63 wrap around when they are read as signed ones.
    const bool fits = value->is_number_integer() &&
                      (!value->is_number_unsigned() || value->get<std::uint64_t>() <= largest_size);
    const std::int64_t number = fits ? value->get<std::int64_t>() : -1;
    if (number < least || number > static_cast<std::int64_t>(largest_size))
        throw InputError(
            fmt::format("{}: {} is {}, not {}", path_.string(), field, config::excerpt(value->dump()), what));
    add_size(field, number);
    return number;
}

/// Every term of a sum of parameters has at most the number of layers and three sizes, of which one may stand
/// twice; a vocabulary or a length stands beside one other size. A sum has fewer than 16 such terms.
void ConfigFile::add_size(const std::string& field, std::int64_t number) {
    sizes_[field] = number;
    double layers = 1.0;
    double longest = 1.0;
    double widest = 1.0;
    double next = 1.0;
    for (const auto& [name, size] : sizes_) {
        const auto value = static_cast<double>(size);
        switch (kind_of(name)) {
            case SizeKind::layers:
                layers = std::max(layers, value);
                break;
            case SizeKind::length:
                longest = std::max(longest, value);
                break;
            case SizeKind::width:
                next = std::max(next, std::min(widest, value));
                widest = std::max(widest, value);
                break;
        }
    }
    constexpr double most = 0x1p58;
    if (layers * widest * std::max(widest * next, longest) <= most) return;
    throw InputError(
        fmt::format("{}: {} is {}: with its other sizes it would have more parameters than can be counted",
                    path_.string(), field, number));
}

bool ConfigFile::flag(const std::string& field, bool otherwise) {
    const Json* value = find(field);
    if (value == nullptr) return otherwise;
    if (!value->is_boolean())
        throw InputError(fmt::format("{}: {} is {}, neither true nor false", path_.string(), field,
                                     config::excerpt(value->dump())));
    return value->get<bool>();
}

std::vector<std::string> ConfigFile::unknown() const {
    std::vector<std::string> names;
    for (const auto& [key, value] : json_.items()) {
        if (!asked_.contains(key) && !is_without_effect(key)) names.push_back(key);
    }
    std::sort(names.begin(), names.end());
    names.insert(names.end(), outside_.begin(), outside_.end());
    return names;
}

bool is_model_config(const std::filesystem::path& path) {
    std::error_code ignored;
    if (path.extension() != ".json" || !std::filesystem::is_regular_file(path, ignored) ||
        std::filesystem::file_size(path, ignored) > largest_file)
        return false;
    const Json json = Json::parse(strict_json(text_of(path)), nullptr, false);
    return json.is_object() &&
           (json.contains("model_type") || json.contains("architectures") || json.contains("_class_name"));
}

}  // namespace dse::app
