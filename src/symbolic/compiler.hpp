#pragma once

#include "symbolic/program.hpp"
#include "symbolic/syntax_tree.hpp"

namespace dse::symbolic {

/// Looks up the names, checks the types, resolves the texts, folds constants.
/// \throws ExpressionError with the place
Program compile(const SyntaxTree& tree, const SymbolTable& symbols, const TextResolver& result);

}  // namespace dse::symbolic
