#pragma once

#include <utility>

#include "dse/frontend/template/pass_plan.hpp"

namespace dse::frontend {

/// Splits a backward pass into two parts. The second part has the steps that only gradients of parameters
/// need; gradients are reduced there, whichever part produced them. If no gradient of a block can be
/// deferred, all steps are in the first part.
/// \param holds_casts  gradients that only matrix products of the second part read are kept as their casts
/// \returns the part for the gradient of the boundary value, and the rest
std::pair<PassPlan, PassPlan> split_backward(const PassPlan& backward, const Block& block, bool holds_casts);

}  // namespace dse::frontend
