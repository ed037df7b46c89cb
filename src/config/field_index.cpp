#include "dse/config/field_index.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/nearest.hpp"

namespace dse::config {
namespace {

bool ends_with_name(std::string_view path, std::string_view name) {
    if (!path.ends_with(name)) return false;
    return path.size() == name.size() || path[path.size() - name.size() - 1] == '.';
}

/// The last components of all paths: what users usually write.
std::vector<std::string> short_names(const std::vector<FieldRef>& fields, bool dotted) {
    std::vector<std::string> names;
    for (const FieldRef& field : fields) {
        const std::string& path = field.info().path;
        names.push_back(dotted ? path : path.substr(path.rfind('.') + 1));
    }
    return names;
}

}  // namespace

const FieldRef* FieldIndex::resolve(std::string_view name, std::string& error) const {
    std::vector<const FieldRef*> found;
    for (const FieldRef& field : fields_) {
        if (field.info().path == name) return &field;
        if (ends_with_name(field.info().path, name)) found.push_back(&field);
    }
    if (found.size() == 1) return found.front();
    if (found.empty()) {
        const bool dotted = name.find('.') != std::string_view::npos;
        const auto close = nearest(name, short_names(fields_, dotted));
        error = fmt::format("no field is called '{}'{}", name,
                            close ? fmt::format(" (did you mean '{}'?)", *close) : "");
        return nullptr;
    }
    std::vector<std::string> paths;
    for (const FieldRef* field : found) paths.push_back(field->info().path);
    error = fmt::format("'{}' may be {} (write more of the path)", name, fmt::join(paths, " or "));
    return nullptr;
}

}  // namespace dse::config
