#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dse {

/// The known name that is most like `name` (Damerau–Levenshtein distance), if one is close enough to have
/// been meant: at most a third of its letters differ.
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& known);

/// " (did you mean 'x'?)" where a near name exists, else " (known: a, b, c)"; empty where nothing is known.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace dse
