#pragma once

#include <string_view>

#include "ir/readers/mlir/tokens.hpp"

namespace dse::ir::mlir {

/// Whether this is an operation that MLIR allows to write without its dialect: "return", "call".
bool is_bare_operation(std::string_view word);

// What comes next. None of these functions moves the tokens.

/// The name of an operation, not a keyword.
bool at_operation(Tokens& tokens);
/// A '{' followed by operations, not by `key = value`.
bool at_region(Tokens& tokens);
/// A '{' followed by axes of a mesh: `{"x", "y":(1)2}`.
bool at_axes(Tokens& tokens);

}  // namespace dse::ir::mlir
