#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dse/config/field_index.hpp"

namespace dse::space {

/// Result of looking up a field by name.
struct FieldMatch {
    const config::FieldRef* field{nullptr};  ///< the field, if the name is unique
    /// There is no such field, and the name is not available for a new value either: it is ambiguous, or a
    /// former name of a field. FieldIndex::why_unresolved() says which.
    bool refused{false};
};

FieldMatch match_field(const config::FieldIndex& fields, std::string_view name);

/// Whether a dotted path is `name` or ends with ".name".
bool path_ends_with(std::string_view path, std::string_view name);

}  // namespace dse::space
