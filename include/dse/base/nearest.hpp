#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dse {

/// The known name that is meant by what other programs call it ("gpus"), or else the one closest to `name`,
/// ignoring case, if it is close enough to have been meant: at most a third
/// of its letters (one in a short name) inserted, omitted, replaced or swapped, and not all of them. Ties:
/// the first. The distance is optimal string alignment (Damerau–Levenshtein without edits inside swapped
/// pairs).
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& known);

/// " (did you mean 'x'?)" if there is a close name, else " (known: a, b, c)"; empty if `known` is empty.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace dse
