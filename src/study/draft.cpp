#include "dse/study/draft.hpp"

#include <algorithm>
#include <utility>

namespace dse::study {

const space::Axis* axis_of(const Sweep& sweep, std::string_view path) {
    if (!sweep.space) return nullptr;
    const auto& axes = sweep.space->axes();
    const auto axis =
        std::find_if(axes.begin(), axes.end(), [&](const space::Axis& one) { return one.info.path == path; });
    return axis != axes.end() ? &*axis : nullptr;
}

Place place_of_values(const Draft& draft, std::string_view path) {
    if (const space::Axis* axis = axis_of(draft.sweep, path)) return {axis->where, "axes." + axis->name};
    return {place_of(draft.root, path), std::string{path}};
}

void warn_of_values(Draft& draft, std::string_view path, std::string reason) {
    const Place place = place_of_values(draft, path);
    draft.diagnostics.warning(place.where, place.path, std::move(reason));
}

const config::Location& place_of(const config::Node& section, std::string_view key) {
    const std::size_t dot = key.find('.');
    const config::Node* value = section.is_map() ? section.find(key.substr(0, dot)) : nullptr;
    if (value == nullptr) return section.location();
    return dot == std::string_view::npos ? value->location() : place_of(*value, key.substr(dot + 1));
}

bool is_varied(const Sweep& sweep, std::string_view path) {
    if (!sweep.space) return true;
    const auto& derived = sweep.space->derived();
    return axis_of(sweep, path) != nullptr ||
           std::any_of(derived.begin(), derived.end(),
                       [&](const space::Derived& value) { return value.info.path == path; });
}

bool is_stated(const Sweep& sweep, std::string_view path) {
    return std::find(sweep.stated.begin(), sweep.stated.end(), path) != sweep.stated.end();
}

}  // namespace dse::study
