#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "dse/netsim/astra/machine.hpp"
#include "dse/sim/replay/groups.hpp"
#include "dse/trace/chakra/trace.hpp"

namespace dse::sim::replay {

/// What ASTRA-sim says of a rank, in its ticks (1 ns).
struct AstraRank {
    netsim::Ticks finish{0};
    netsim::Ticks compute{0};  ///< of nodes on its device, one after the other

    /// All that is no computation: communication, but waits and remote memory as well.
    [[nodiscard]] netsim::Ticks exposed() const { return finish - compute; }
    friend bool operator==(const AstraRank&, const AstraRank&) = default;
};

/// A node begins or has ended.
struct NodeEvent {
    enum class Kind : std::uint8_t { issued, ended };
    Kind kind{Kind::issued};
    netsim::Ticks tick{0};
    std::int64_t rank{0};
    trace::chakra::NodeIndex node;
};

/// All that a replay is of; what it refers to outlives it.
struct AstraJob {
    std::span<const trace::chakra::RankTrace> ranks;
    const AstraGroups& groups;
    const netsim::AstraMachine& machine;
};

/// Plays the traces of all ranks as ASTRA-sim's workload layer does, every rank for itself and message by
/// message: the reference.
///
/// A rank has one node of computation, one of its host, and one of communication or remote memory at work;
/// receives are free. Whenever something ends, the ready nodes whose slots are free begin by ascending id.
/// \param observe  told every node that begins or ends, in ASTRA-sim's order; may be empty
/// \throws InputError naming the node that ASTRA-sim could not play, or who waits for what where it would
/// never end; ModelError where the network has no such topology
std::vector<AstraRank> replay_messages(const AstraJob& job,
                                       const std::function<void(const NodeEvent&)>& observe = {});

/// The same times, sooner where the network has no congestion: ranks that do the same are played once, and
/// collectives as a whole. \throws as replay_messages, and InputError where the members of a collective
/// disagree
std::vector<AstraRank> replay(const AstraJob& job);

}  // namespace dse::sim::replay
