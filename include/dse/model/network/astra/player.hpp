#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/model/network/astra/links.hpp"
#include "dse/model/network/astra/plan.hpp"

namespace dse::model {

/// Plays a collective message by message, every member for itself, in the order of ASTRA-sim's events: what
/// is due at the same tick runs in the order in which it was asked for, and what one device has asked for at
/// a tick runs together. The reference for the closed forms, and the only way where members do not move in
/// step or where messages share links. \param members  ranks that take part: all, 0 to n - 1, or those of a
/// group in its order \returns when each member has ended its last chunk \throws ModelError where the network
/// has no such topology
std::vector<Ticks> play_messages(const AstraSystem& system, AstraNetwork network, const AstraPlan& plan,
                                 std::span<const std::int64_t> members);

}  // namespace dse::model
