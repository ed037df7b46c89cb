#pragma once

#include <string>

#include "dse/config/diagnostics.hpp"
#include "dse/symbolic/expression_error.hpp"

namespace dse::space {

/// Reports an error inside an expression at the very character.
/// \param start  where the expression's text begins
inline void report(config::Diagnostics& diagnostics, const symbolic::ExpressionError& error,
                   config::Location start, const std::string& path, const std::string& text) {
    start.column += static_cast<int>(error.position());
    diagnostics.error(start, path, error.reason() + " in '" + text + "'");
}

}  // namespace dse::space
