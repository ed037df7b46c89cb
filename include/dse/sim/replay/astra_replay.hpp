#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "dse/netsim/astra/machine.hpp"
#include "dse/sim/replay/groups.hpp"
#include "dse/trace/chakra/trace.hpp"

namespace dse::sim::replay {

/// ASTRA-sim's result for one rank, in its ticks (1 ns).
struct AstraRank {
    netsim::Ticks finish{0};
    netsim::Ticks compute{0};  ///< of nodes on its device, one after the other

    /// All that is no computation: communication, but waits and remote memory as well.
    [[nodiscard]] netsim::Ticks exposed() const { return finish - compute; }
    friend bool operator==(const AstraRank&, const AstraRank&) = default;
};

/// The start or end of a node.
struct NodeEvent {
    enum class Kind : std::uint8_t { issued, ended };
    Kind kind{Kind::issued};
    netsim::Ticks tick{0};
    std::int64_t rank{0};
    trace::chakra::NodeIndex node;
};

/// The input of a replay. Everything it refers to must outlive it.
struct AstraJob {
    std::span<const trace::chakra::RankTrace> ranks;
    const AstraGroups& groups;
    const netsim::AstraMachine& machine;
};

/// Simulates the traces of all ranks like ASTRA-sim's workload layer, rank by rank and message by message:
/// the reference.
///
/// A rank runs one compute node, one host node, and one communication or remote-memory node at a time;
/// receives are unlimited. Whenever a node ends, the ready nodes whose slots are free start in ascending
/// order of ids. \param observe  called for every start and end of a node, in ASTRA-sim's order; may be empty
/// \throws InputError naming a node that ASTRA-sim cannot run, or for a deadlock the nodes that wait for each
///         other; ModelError if the network does not support the topology
std::vector<AstraRank> replay_messages(const AstraJob& job,
                                       const std::function<void(const NodeEvent&)>& observe = {});

/// The number of messages that replay_messages would send, or `most` if it is larger: no more than the work
/// of a simulation, since halving and doubling, and trees, send fewer than is counted here.
/// \throws like replay_messages
std::int64_t count_messages(const AstraJob& job, std::int64_t most);

/// The same times, computed faster if the network has no congestion: ranks that do the same work are
/// simulated once, and collectives as a whole. Events of the same tick on different ranks may come in another
/// order, which rarely matters: if a rank's message and one for it end at the same tick, the first decides
/// what the rank does next.
/// \throws like replay_messages, and InputError if the members of a collective disagree
std::vector<AstraRank> replay(const AstraJob& job);

/// The same, if the order of the events of a tick cannot have changed a time: then these are the times of
/// replay_messages.
/// \returns nothing if it could, or if the network has congestion
/// \throws like replay
std::optional<std::vector<AstraRank>> replay_if_certain(const AstraJob& job);

}  // namespace dse::sim::replay
