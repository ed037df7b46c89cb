#pragma once

#include <span>
#include <vector>

#include "dse/netsim/astra/plan.hpp"

namespace dse::netsim {

/// End times of the members of a ring in a collective of one phase on the congestion-unaware network, for any
/// start times and link times.
///
/// A member sends its next message when it has reduced the one from its predecessor; all active chunks
/// proceed in the same way, and the next chunk starts when a member has finished one. \param plan    a plan
/// with one phase, a ring \param links   ticks of a message from each member to the next; a single value if
///                all members are equal and start together
/// \param starts  start time of each member; as many as links
std::vector<Ticks> ring_ends(const AstraSystem& system, const AstraPlan& plan, std::span<const Ticks> links,
                             std::span<const Ticks> starts);

}  // namespace dse::netsim
