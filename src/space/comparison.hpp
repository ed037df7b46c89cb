#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dse::space {

/// A part of an expression's text.
struct TextPart {
    std::size_t start{0};  ///< offset in characters from 0
    std::string text;
};

/// The operands of the top-level `and`s (`&&`); the whole text if there are none, or if it contains an
/// operator of lower precedence (`or`, a conditional).
std::vector<TextPart> conjuncts(std::string_view text);

/// Left and right side of an expression that is a single comparison by <, <=, > or >=, the smaller side
/// first.
std::optional<std::pair<std::string, std::string>> ordered_sides(std::string_view text);

}  // namespace dse::space
