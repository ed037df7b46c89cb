#pragma once

#include "dse/frontend/template/operator_kind.hpp"

namespace dse::frontend::kinds {

/// Prepares attention over a sequence that is split over cp, with the algorithm that the stack selects. The
/// queries' sequence has the letter 's', the keys' sequence 't', heads 'o'. Call before adding results.
void cross_context(OperationBuilder& builder);

/// Gives the first result the layout of the queries. Call after adding results.
/// \return the result that the kernel itself produces
TensorId cross_back(OperationBuilder& builder);

}  // namespace dse::frontend::kinds
