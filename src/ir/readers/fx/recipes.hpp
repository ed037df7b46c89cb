#pragma once

#include <vector>

#include "dse/ir/program/program.hpp"
#include "expression.hpp"
#include "operators.hpp"

namespace dse::ir::fx {

/// What a call's arguments say beyond values.
/// \param operands  the call's values in the order of the text. Of products the factors are put first, so
/// that
///                  operands 0 and 1 are what the dimensions are of; of convolutions x and w (behind the
///                  gradient in the backward pass, as in the text)
/// \return nothing where types are not known that it would take
Attribute attribute_of(Recipe recipe, const Expressions& expressions, const Expressions::Node& call,
                       Program& program, std::vector<ValueId>& operands);

/// The integer that is written there; nothing where none is.
std::optional<std::int64_t> integer_of(const Expressions::Node* node);

}  // namespace dse::ir::fx
