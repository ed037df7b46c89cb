#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dse {

/// The known name that is most like `name`, whatever the case, if one is close enough to have been meant: at
/// most a third of its letters inserted, left out, replaced or swapped (one, in a short name), and not all of
/// them. Of equally near ones the first. Distance: optimal string alignment (Damerau–Levenshtein without
/// edits inside swapped pairs).
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& known);

/// " (did you mean 'x'?)" where a near name exists, else " (known: a, b, c)"; empty where nothing is known.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace dse
