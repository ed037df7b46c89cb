#pragma once

#include <span>
#include <vector>

#include "dse/netsim/astra/plan.hpp"

namespace dse::netsim {

/// When the members of a ring have ended a collective of one phase, wherever they begin and however their
/// links differ, on the congestion-unaware network.
///
/// A member sends its next message when it has added what its predecessor sent; each of the chunks that are
/// at work together goes the same way, and the next one follows when a member has ended one.
/// \param plan    one phase, of a ring
/// \param links   ticks of a message from each member to the next; of members that are all alike and begin
///                together, one stands for all
/// \param starts  when each member begins; as many as links
std::vector<Ticks> ring_ends(const AstraSystem& system, const AstraPlan& plan, std::span<const Ticks> links,
                             std::span<const Ticks> starts);

}  // namespace dse::netsim
