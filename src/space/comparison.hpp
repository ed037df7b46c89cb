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
    std::size_t start{0};  ///< in characters from 0
    std::string text;
};

/// What the `and`s (`&&`) outside of brackets and quotes join; the whole text where there are none, or where
/// something binds looser (`or`, a conditional).
std::vector<TextPart> conjuncts(std::string_view text);

/// Left and right side of an expression that is one comparison by <, <=, > or >=, the smaller side first.
std::optional<std::pair<std::string, std::string>> ordered_sides(std::string_view text);

}  // namespace dse::space
