#include "space/field_names.hpp"

#include <algorithm>

namespace dse::space {

bool path_ends_with(std::string_view path, std::string_view name) {
    if (name.empty() || !path.ends_with(name)) return false;
    return path.size() == name.size() || path[path.size() - name.size() - 1] == '.';
}

FieldMatch match_field(const config::FieldIndex& fields, std::string_view name) {
    FieldMatch match;
    match.field = fields.resolve(name);
    if (match.field == nullptr) {
        const auto& all = fields.fields();
        const bool ambiguous = std::any_of(all.begin(), all.end(), [&](const config::FieldRef& field) {
            return path_ends_with(field.info().path, name);
        });
        match.refused = ambiguous || !fields.new_name(name).empty();
    }
    return match;
}

}  // namespace dse::space
