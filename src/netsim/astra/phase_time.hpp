#pragma once

#include <optional>

#include "dse/netsim/astra/plan.hpp"

namespace dse::netsim {

/// Ticks of one phase of one chunk when all members start at once, in closed form.
///
/// Congestion-unaware: messages never share a link. All members then move in step, and one represents all.
/// \returns nothing if they do not (double binary tree, windows of `direct`, anything over several dimensions
///          at once, groups on a ring): such phases are simulated message by message (AstraPlayer)
std::optional<Ticks> lockstep_ticks(const AstraSystem& system, const AstraPhase& phase);

}  // namespace dse::netsim
