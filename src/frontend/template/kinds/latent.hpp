#pragma once

#include <string>

#include "dse/frontend/template/operator_kind.hpp"

namespace dse::frontend::kinds {

/// Checks the last dimension of an operand. \param what  composition of the width, for messages
bool expect_width(OperationBuilder& builder, std::size_t operand, double width, const std::string& what);

}  // namespace dse::frontend::kinds
