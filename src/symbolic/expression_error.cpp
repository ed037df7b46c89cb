#include "dse/symbolic/expression_error.hpp"

#include <fmt/format.h>

namespace dse::symbolic {

namespace {

/// Long texts are truncated, so that a message stays on one line.
std::string shown(std::string_view text) {
    constexpr std::size_t longest = 120;
    return text.size() <= longest ? std::string(text) : std::string(text.substr(0, longest)) + "…";
}

}  // namespace

ExpressionError::ExpressionError(std::string_view text, std::size_t position, const std::string& reason)
    : InputError(fmt::format("expression '{}', character {}: {}", shown(text), position + 1, reason)),
      position_{position},
      reason_{reason} {}

}  // namespace dse::symbolic
