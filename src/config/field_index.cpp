#include "dse/config/field_index.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/nearest.hpp"
#include "dse/config/source_text.hpp"

namespace dse::config {
namespace {

bool ends_with_name(std::string_view path, std::string_view name) {
    if (!path.ends_with(name)) return false;
    return path.size() == name.size() || path[path.size() - name.size() - 1] == '.';
}

/// Fields of pools also exist for the whole system, so their names need at least the pool's name.
bool needs_more(std::string_view path, std::string_view name) {
    return path.find(".pools.") != std::string_view::npos && name.find('.') == std::string_view::npos;
}

/// The last `components` components of `path`; all of it if it has fewer.
std::string ending(const std::string& path, std::ptrdiff_t components) {
    std::size_t begin = path.size();
    for (; components > 0 && begin != std::string::npos && begin > 0; --components) {
        begin = path.rfind('.', begin - 1);
    }
    return begin == std::string::npos || begin == 0 ? path : path.substr(begin + 1);
}

/// Candidates for suggestions: all paths, shortened to as many components as the user wrote.
std::vector<std::string> endings(const std::vector<FieldRef>& fields, std::string_view name) {
    const auto components = std::count(name.begin(), name.end(), '.') + 1;
    std::vector<std::string> names;
    for (const FieldRef& field : fields) names.push_back(ending(field.info().path, components));
    return names;
}

}  // namespace

const FieldRef* FieldIndex::find(std::string_view path) const {
    const auto found = std::find_if(fields_.begin(), fields_.end(),
                                    [path](const FieldRef& field) { return field.info().path == path; });
    return found != fields_.end() ? &*found : nullptr;
}

const FieldRef* FieldIndex::resolve(std::string_view name, std::string& error) const {
    std::vector<const FieldRef*> found;
    for (const FieldRef& field : fields_) {
        const std::string& path = field.info().path;
        if (path == name) return &field;
        if (ends_with_name(path, name) && !needs_more(path, name)) found.push_back(&field);
    }
    if (found.size() == 1) return found.front();
    if (found.empty()) {
        error = new_name(name);
        if (!error.empty()) return nullptr;
        const auto close = nearest(name, endings(fields_, name));
        error = fmt::format("no field is called '{}'{}", excerpt(name),
                            close ? fmt::format(" (did you mean '{}'?)", *close) : "");
        return nullptr;
    }
    std::vector<std::string> paths;
    for (const FieldRef* field : found) paths.push_back(field->info().path);
    error = fmt::format("'{}' may be {} (write more of the path)", name, fmt::join(paths, " or "));
    return nullptr;
}

std::string FieldIndex::new_name(std::string_view name) const {
    const auto found = std::find_if(renamed_.begin(), renamed_.end(),
                                    [&](const OldName& old) { return ends_with_name(old.path, name); });
    return found == renamed_.end() ? "" : found->reason;
}

}  // namespace dse::config
