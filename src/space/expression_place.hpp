#pragma once

#include <string>

#include "dse/config/diagnostics.hpp"
#include "dse/config/source_text.hpp"
#include "dse/symbolic/expression_error.hpp"

namespace dse::space {

/// Reports an error inside an expression at its exact character.
/// \param start  location of the expression's text
inline void report(config::Diagnostics& diagnostics, const symbolic::ExpressionError& error,
                   config::Location start, const std::string& path, const std::string& text) {
    constexpr std::size_t longest = 200;
    start.column += static_cast<int>(error.position());
    const std::string shown = text.size() <= longest ? text : config::excerpt(text);
    diagnostics.error(start, path, error.reason() + " in '" + shown + "'");
}

}  // namespace dse::space
