#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/sim/replay/dependency_table.hpp"
#include "dse/sim/replay/node_span.hpp"
#include "dse/sim/replay/node_times.hpp"
#include "dse/trace/chakra/groups.hpp"
#include "dse/trace/chakra/trace.hpp"

namespace dse::sim::replay {

/// Result for one rank.
struct MachineRank {
    Seconds finish;
    Seconds compute;  ///< time with a running kernel
    /// Time with communication or copies running or waiting for others, but without a running kernel.
    Seconds exposed;
};

/// The traces of a job, which must outlive it.
struct MachineJob {
    std::span<const trace::chakra::RankTrace> ranks;
    const trace::chakra::Groups* groups;  ///< those of a file beside the traces, and those declared in traces
};

/// Simulates the traces of all ranks on a machine. A node starts when its dependencies have ended and its
/// lane is free (see LaneTable). A collective starts when the last member of its group has arrived and ends
/// for all at once; the n-th collective of a rank in a group is the n-th of every other member. A message
/// departs when it is sent and delays later ones on its lane; it is received when it has arrived and is
/// awaited. Messages and collectives do not slow each other down.
/// \param observe  told of every node; may be empty
/// \throws InputError naming a node with missing data or one that the models do not support; for a deadlock,
///         the nodes that wait for each other
std::vector<MachineRank> replay_on_machine(const MachineJob& job, NodeTimes& times,
                                           Dependencies dependencies = Dependencies::all,
                                           const SpanObserver& observe = {});

/// A job on some devices of a machine.
struct PlacedJob {
    MachineJob job;
    std::span<const std::int64_t> devices;  ///< by rank
    SpanObserver observe{};                 ///< told of every node of the first iteration; may be empty
};

/// Result for one of several jobs.
struct SharedRun {
    std::vector<MachineRank> ranks;  ///< of its first iteration
    Seconds time;                    ///< of an iteration: the mean of those that ended
    std::int64_t iterations{0};      ///< that ended, >= 1
};

/// The same for several jobs, of which all messages and collectives share the machine's links
/// (netsim::SharedLinks). All jobs begin at once. A job whose iteration ends begins with the next one, until
/// the first iteration of every job has ended, so that each is slowed down by all others to its end.
/// \param machine  devices of the machine
/// \throws InputError likewise, and if a job would begin again that takes no time
std::vector<SharedRun> replay_together(std::span<const PlacedJob> jobs, std::int64_t machine,
                                       const hardware::NetworkSpec& network, NodeTimes& times,
                                       Dependencies dependencies = Dependencies::all);

}  // namespace dse::sim::replay
