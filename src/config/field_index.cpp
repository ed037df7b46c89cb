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

/// Fields of pools also exist for the whole system, so their names need at least the pool's name; `seed` is
/// that of a synthetic workload, so that of its traffic needs more.
bool needs_more(std::string_view path, std::string_view name) {
    const bool exists_further_out =
        path.find(".pools.") != std::string_view::npos || path.ends_with(".traffic.seed");
    return exists_further_out && name.find('.') == std::string_view::npos;
}

/// The last `components` components of `path`; all of it if it has fewer.
std::string ending(const std::string& path, std::ptrdiff_t components) {
    std::size_t begin = path.size();
    for (; components > 0 && begin != std::string::npos && begin > 0; --components) {
        begin = path.rfind('.', begin - 1);
    }
    return begin == std::string::npos || begin == 0 ? path : path.substr(begin + 1);
}

/// A path with its numbers replaced by N, so that the items of a list are named once.
std::string with_any_number(const std::string& path) {
    std::string result;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        const std::string part = path.substr(begin, end - begin);
        const bool is_number = !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
        result += (begin == 0 ? "" : ".") + (is_number ? "N" : part);
        begin = end + 1;
    }
    return result;
}

/// The field with the path `name`, or else all whose paths end with it.
std::vector<const FieldRef*> fields_called(std::string_view name, const std::vector<FieldRef>& fields) {
    std::vector<const FieldRef*> found;
    for (const FieldRef& field : fields) {
        const std::string& path = field.info().path;
        if (path == name) return {&field};
        if (ends_with_name(path, name) && !needs_more(path, name)) found.push_back(&field);
    }
    return found;
}

/// Candidates for suggestions: all paths, shortened to as many components as the user wrote.
std::vector<std::string> endings(const std::vector<FieldRef>& fields, std::string_view name) {
    const auto components = std::count(name.begin(), name.end(), '.') + 1;
    std::vector<std::string> names;
    names.reserve(fields.size());
    for (const FieldRef& field : fields) names.push_back(ending(field.info().path, components));
    return names;
}

}  // namespace

const FieldRef* FieldIndex::find(std::string_view path) const {
    const auto found = std::find_if(fields_.begin(), fields_.end(),
                                    [path](const FieldRef& field) { return field.info().path == path; });
    return found != fields_.end() ? &*found : nullptr;
}

const FieldRef* FieldIndex::resolve(std::string_view name) const {
    const std::vector<const FieldRef*> found = fields_called(name, fields_);
    return found.size() == 1 ? found.front() : nullptr;
}

std::string FieldIndex::why_unresolved(std::string_view name) const {
    const std::vector<const FieldRef*> found = fields_called(name, fields_);
    if (found.empty()) {
        if (std::string renamed = new_name(name); !renamed.empty()) return renamed;
        const auto close = nearest(name, endings(fields_, name));
        return fmt::format("no field is called '{}'{}", excerpt(name),
                           close ? fmt::format(" (did you mean '{}'?)", *close) : "");
    }
    std::vector<std::string> paths;
    for (const FieldRef* field : found) {
        std::string path = with_any_number(field->info().path);
        if (paths.empty() || paths.back() != path) paths.push_back(std::move(path));
    }
    return fmt::format("'{}' may be {} (write more of the path)", name, fmt::join(paths, " or "));
}

std::string FieldIndex::new_name(std::string_view name) const {
    const auto found = std::find_if(renamed_.begin(), renamed_.end(),
                                    [&](const OldName& old) { return ends_with_name(old.path, name); });
    return found == renamed_.end() ? "" : found->reason;
}

}  // namespace dse::config
