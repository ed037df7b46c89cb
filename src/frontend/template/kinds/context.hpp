#pragma once

#include "dse/frontend/template/operator_kind.hpp"

namespace dse::frontend::kinds {

/// Lets attention meet the keys and values of a sequence that is split over cp, in the way that the stack
/// says. The queries' sequence has the letter 's', the keys' 't', heads 'o'. Before results are added.
void cross_context(OperationBuilder& builder);

/// The first result as the kernel leaves it, which has to lie as the queries did. After results are added.
TensorId cross_back(OperationBuilder& builder);

}  // namespace dse::frontend::kinds
