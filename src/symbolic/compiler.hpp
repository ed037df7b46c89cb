#pragma once

#include "symbolic/program.hpp"
#include "symbolic/syntax_tree.hpp"

namespace dse::symbolic {

/// Resolves names and texts, checks types, folds constants.
/// \throws ExpressionError with the position
Program compile(const SyntaxTree& tree, const SymbolTable& symbols, const TextResolver& result);

}  // namespace dse::symbolic
