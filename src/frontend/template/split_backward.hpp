#pragma once

#include <utility>

#include "dse/frontend/template/pass_plan.hpp"

namespace dse::frontend {

/// Parts a backward pass: the steps that only gradients of parameters need come second. Gradients are reduced
/// there, whichever part made them; a block none of whose gradients can wait has them all in the first part.
/// \param holds_casts  gradients wait for the second part as products read them, where nothing else does
/// \returns what the gradient of the boundary value needs, and the rest
std::pair<PassPlan, PassPlan> split_backward(const PassPlan& backward, const Block& block, bool holds_casts);

}  // namespace dse::frontend
