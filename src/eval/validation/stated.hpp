#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::eval {

/// Whether a cell of a table contains a word.
inline bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// A required size of a model or a batch, within plausible limits.
/// \param column  that states it
/// \throws ModelError if the row does not state it: the row is not predicted, for this reason
inline double stated(const std::optional<double>& value, const char* what, const char* column) {
    if (!value || !(*value >= 1.0)) throw ModelError(fmt::format("{} not stated (column {})", what, column));
    if (*value > 1e12) throw ModelError(fmt::format("{}: {} is too large", what, *value));
    return *value;
}

}  // namespace dse::eval
