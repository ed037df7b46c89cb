#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dse/symbolic/parsed_expression.hpp"
#include "dse/symbolic/symbol_table.hpp"
#include "symbolic/operation.hpp"

namespace dse::symbolic {

enum class SyntaxKind : std::uint8_t { literal, name, text, operation };

/// A node of the tree. An operation's operands are the last complete subtrees before it, in the order
/// documented at Operation.
struct SyntaxNode {
    SyntaxKind kind{SyntaxKind::literal};
    Operation operation{Operation::add};
    ValueType type{ValueType::integer};  ///< of a literal: integer, real or flag
    std::size_t position{0};
    double number{0.0};  ///< of a literal
    std::string text;    ///< of a name or a text
};

/// An expression as a tree in postfix order: operands before operators, the root last. A compiler therefore
/// needs no recursion, however long a chain of operators is.
struct SyntaxTree {
    std::string text;
    std::vector<SyntaxNode> nodes;
    std::vector<NameUse> names;
};

}  // namespace dse::symbolic
