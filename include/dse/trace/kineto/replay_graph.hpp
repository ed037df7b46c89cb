#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dse/trace/chakra/node_type.hpp"
#include "dse/trace/kineto/profile.hpp"

namespace dse::trace::kineto {

/// What an NCCL kernel does, as far as the profile states it.
struct CollectiveWork {
    chakra::CommType kind{chakra::CommType::unknown};
    std::optional<std::int64_t> bytes;  ///< that the rank contributes
    std::string group;                  ///< empty: not stated
};

/// A piece of work with a recorded duration, and what it waits for.
struct ReplayNode {
    enum class Place : std::uint8_t { host, device };
    std::string name;
    Place place{Place::device};
    std::int64_t lane{0};   ///< thread or stream
    std::int64_t start{0};  ///< recorded, ns
    std::int64_t end{0};    ///< recorded, ns
    /// ns: of device work as recorded; of host work the time it takes once everything it waits for has ended
    std::int64_t duration{0};
    /// ns from the end of everything that it waits for to its start; only for work that a CUDA graph
    /// launched, and for the first work on each stream
    std::int64_t pause{0};
    std::vector<std::uint32_t> data;  ///< nodes it depends on by data: launches, events, synchronized work
    std::optional<std::uint32_t> before;  ///< previous node on its lane
    std::optional<CollectiveWork> collective;
};

/// The profile of a rank as a graph that can be replayed.
struct ReplayGraph {
    std::vector<ReplayNode>
        nodes;                 ///< a node waits only for nodes that started earlier, though not in this order
    std::int64_t recorded{0};  ///< ns from the first event to the last
    std::uint64_t unnamed_waits{0};  ///< stream waits whose event the profile does not name
    std::uint64_t orphans{0};        ///< device work whose launch is missing from the profile
};

/// Converts a profile to a graph.
///
/// - Host threads are chains from one launch or synchronization to the next: the time that Python, the
///   framework and the driver take in between is a node. A launch ends no later than its work starts.
/// - If a thread is idle and another one works for most of that gap, the first is taken to have called the
///   second: the second starts after the first, and the first continues after the second (backward passes run
///   on a thread of their own).
/// - Streams run in order. A kernel waits for its launch, and for other streams if an event requires it. If
///   the profile does not name the event (before about PyTorch 2.4), the next kernel waits, on each other
///   stream, for the last work launched before the wait, provided that it had ended when the kernel started.
/// - Work launched together by one call (a CUDA graph) is started by the device itself: it waits for the work
///   of the graph that had ended last when it started, and keeps the recorded pause between the two.
/// - The same holds for the first work on each stream: if a recording starts in the middle of a run, the
///   device still has earlier work to finish.
/// - Synchronizations wait for the streams that they name, cudaDeviceSynchronize for all of them. Without a
///   name, a stream synchronization waits for the stream that the thread used last, any other for all
///   streams. Nothing waits for work that ended later in the recording.
ReplayGraph replay_graph(const Profile& profile);

/// Duration of the graph with the recorded durations, in ns. Collectives take their recorded time, including
/// waiting for other ranks.
std::int64_t replay_time(const ReplayGraph& graph);

}  // namespace dse::trace::kineto
