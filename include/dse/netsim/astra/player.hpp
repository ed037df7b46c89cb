#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/netsim/astra/links.hpp"
#include "dse/netsim/astra/plan.hpp"

namespace dse::netsim {

/// How a collective begins.
struct AstraStart {
    /// When each member begins, from 0; empty: all at once.
    std::vector<Ticks> members;
    AstraTurns turns{};
};

/// Plays a collective message by message, every member for itself (see AstraFabric): the reference for the
/// closed forms, and the only way where members do not move in step or where messages share links.
/// \param members  ranks that take part: of all, 0 to n - 1, or some of them that differ in the dimensions of
/// the plan; or those of a group in its order
/// \returns when each member has ended its last chunk
/// \throws ModelError where the network has no such topology
std::vector<Ticks> play_messages(const AstraSystem& system, AstraNetwork network, const AstraPlan& plan,
                                 std::span<const std::int64_t> members, const AstraStart& start = {});

}  // namespace dse::netsim
