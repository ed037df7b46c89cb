#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dse/trace/chakra/node_type.hpp"
#include "dse/trace/kineto/profile.hpp"

namespace dse::trace::kineto {

/// What a kernel of NCCL does, as far as the profile says it.
struct CollectiveWork {
    chakra::CommType kind{chakra::CommType::unknown};
    std::optional<std::int64_t> bytes;  ///< that the rank puts in
    std::string group;                  ///< empty: not said
};

/// A piece of work with a recorded duration, and what it waits for.
struct ReplayNode {
    enum class Place : std::uint8_t { host, device };
    std::string name;
    Place place{Place::device};
    std::int64_t lane{0};   ///< thread, or stream
    std::int64_t start{0};  ///< recorded, ns
    std::int64_t end{0};    ///< recorded, ns
    /// ns: of device work as recorded; of the host what it takes once all that it waits for has ended
    std::int64_t duration{0};
    /// ns: of work that a CUDA graph launched, and of the first on each stream, from the end of all that it
    /// waits for to its beginning
    std::int64_t pause{0};
    std::vector<std::uint32_t>
        data;  ///< nodes that hand something on: launches, events, what is synchronised
    std::optional<std::uint32_t> before;  ///< the node before it on its lane
    std::optional<CollectiveWork> collective;
};

/// A rank's profile as a graph that can be played anew.
struct ReplayGraph {
    std::vector<ReplayNode>
        nodes;  ///< nodes wait for nodes that began before them, in time though not in this list
    std::int64_t recorded{0};        ///< ns from the first thing that happened to the last
    std::uint64_t unnamed_waits{0};  ///< waits of streams whose event the profile does not name
    std::uint64_t orphans{0};        ///< device work whose launch the profile does not have
};

/// Turns a profile into a graph.
///
/// - Host threads are chains from one launch or synchronisation to the next: what Python, the framework and
/// the
///   driver take between the two is a node. A launch hands on no later than its work began.
/// - A thread that is idle while another one works in that gap, mostly, has called it: the other starts
/// behind
///   the first, and the first goes on behind the other (backward passes run on a thread of their own).
/// - Streams run in order. A kernel waits for its launch, and for other streams where an event said so. Where
///   the profile does not name the event (before PyTorch 2.4 or so), the next kernel waits for the last work
///   that was launched before the wait on each other stream, as far as that had ended when the kernel began.
/// - Work that one call launched (a CUDA graph) is begun by the device itself: it waits for what of the graph
///   had ended last when it began, and makes the pause that the device made between the two.
/// - So does the first work on each stream: where a recording begins in the middle of things, the device has
///   still to do what was launched before.
/// - Synchronisations wait for the streams that they name, cudaDeviceSynchronize for all; else for the stream
///   that the thread used last. Nothing waits for what ended later in the recording.
ReplayGraph replay_graph(const Profile& profile);

/// How long the graph takes with its recorded durations, ns: collectives take what they took, waiting for
/// other ranks included.
std::int64_t replay_time(const ReplayGraph& graph);

}  // namespace dse::trace::kineto
