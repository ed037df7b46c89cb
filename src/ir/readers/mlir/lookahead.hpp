#pragma once

#include <string_view>

#include "ir/readers/mlir/tokens.hpp"

namespace dse::ir::mlir {

/// Operations of the dialects that MLIR lets one write without their dialect's name: "return", "call".
bool is_bare_operation(std::string_view word);

// What is next; all leave the tokens where they are.

/// An operation's name, not a keyword.
bool at_operation(Tokens& tokens);
/// Behind the '{' that is next stand operations, not `key = value`.
bool at_region(Tokens& tokens);
/// Behind the '{' that is next stand axes of a mesh: `{"x", "y":(1)2}`.
bool at_axes(Tokens& tokens);

}  // namespace dse::ir::mlir
