#pragma once

#include <vector>

#include "dse/ir/program/program.hpp"
#include "expression.hpp"
#include "operators.hpp"

namespace dse::ir::fx {

/// The attribute that a call's arguments state.
/// \param operands  the call's values in text order. For products they are reordered so that the factors come
///                  first, as operands 0 and 1 that the dimensions refer to; for convolutions x and w stay in
///                  order (after the gradient in the backward pass)
/// \return nothing if it depends on unknown types
Attribute attribute_of(Recipe recipe, const Expressions& expressions, const Expressions::Node& call,
                       Program& program, std::vector<ValueId>& operands);

/// The value of an integer; nothing if the node is not one.
std::optional<std::int64_t> integer_of(const Expressions::Node* node);

}  // namespace dse::ir::fx
