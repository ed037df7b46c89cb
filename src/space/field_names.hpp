#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dse/config/field_index.hpp"

namespace dse::space {

/// Outcome of looking for the field that a name means.
struct FieldMatch {
    const config::FieldRef* field{nullptr};  ///< the one, if there is one
    /// No field, and no name that is free to be given: several fields end with it, or one was called so.
    bool refused{false};
    std::string reason;  ///< why there is no field: none, and the nearest; or several, and which
};

FieldMatch match_field(const config::FieldIndex& fields, std::string_view name);

/// Whether a dotted path is `name` or ends with ".name".
bool path_ends_with(std::string_view path, std::string_view name);

}  // namespace dse::space
