#include "app/hugging_face/context_length.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "dse/graph/serving.hpp"

namespace dse::app {
namespace {

/// A positive number of an object; 0 if it is absent or none.
double number(const Json& object, std::string_view key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number()) return 0.0;
    return std::max(found->get<double>(), 0.0);
}

std::string text(const Json& object, std::string_view key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

/// How rotary positions are scaled, by the names of transformers 4 or 5; nullptr: they are not.
const Json* scaling_of(ConfigFile& config) {
    for (const char* name : {"rope_scaling", "rope_parameters"}) {
        const Json* scaling = config.find(name);
        if (scaling == nullptr || !scaling->is_object()) continue;
        // Layers with and without a window may have one each.
        const auto of_full = scaling->find("full_attention");
        return of_full != scaling->end() && of_full->is_object() ? &*of_full : scaling;
    }
    return nullptr;
}

bool states_extended_length(const std::string& model_type, std::string_view kind) {
    constexpr std::array<std::string_view, 3> kinds{"llama3", "longrope", "su"};
    return model_type.starts_with("gemma3") || std::ranges::find(kinds, kind) != kinds.end();
}

double stated_length(ConfigFile& config) {
    const Json* stated = config.find("max_position_embeddings");
    return stated != nullptr && stated->is_number() ? stated->get<double>() : 0.0;
}

}  // namespace

std::int64_t context_length(ConfigFile& config) {
    double length = stated_length(config);
    if (const Json* scaling = scaling_of(config)) {
        std::string kind = text(*scaling, "rope_type");
        if (kind.empty()) kind = text(*scaling, "type");
        const double factor = number(*scaling, "factor");
        if (factor > 0.0 && !states_extended_length(config.model_type(), kind)) {
            const double original =
                kind == "yarn" ? number(*scaling, "original_max_position_embeddings") : 0.0;
            length = (original > 0.0 ? original : length) * factor;
        }
    }
    return length >= 1.0 && length <= graph::most_tokens ? static_cast<std::int64_t>(length) : 0;
}

}  // namespace dse::app
