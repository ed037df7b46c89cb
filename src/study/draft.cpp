#include "dse/study/draft.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace dse::study {

Place place_of_values(const Draft& draft, const char* key) {
    const std::string path = fmt::format("workload.{}", key);
    if (draft.sweep.space) {
        for (const space::Axis& axis : draft.sweep.space->axes())
            if (axis.info.path == path) return {axis.where, "axes." + axis.name};
    }
    return {place_of(draft.root.find("workload"), key), path};
}

const config::Location& place_of(const config::Node* section, const char* key) {
    static const config::Location unknown;
    if (section == nullptr) return unknown;
    const std::string_view path{key};
    const std::size_t dot = path.find('.');
    const config::Node* value = section->is_map() ? section->find(path.substr(0, dot)) : nullptr;
    if (value == nullptr) return section->location();
    return dot == std::string_view::npos ? value->location() : place_of(value, key + dot + 1);
}

bool is_varied(const Sweep& sweep, std::string_view path) {
    if (!sweep.space) return true;
    const auto sets = [&](const auto& value) { return value.info.path == path; };
    return std::any_of(sweep.space->axes().begin(), sweep.space->axes().end(), sets) ||
           std::any_of(sweep.space->derived().begin(), sweep.space->derived().end(), sets);
}

bool is_stated(const Sweep& sweep, std::string_view path) {
    return std::find(sweep.stated.begin(), sweep.stated.end(), path) != sweep.stated.end();
}

}  // namespace dse::study
