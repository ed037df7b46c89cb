#pragma once

#include <string>
#include <vector>

#include "dse/trace/kineto/replay_graph.hpp"

namespace dse::trace::kineto {

/// What PyTorch's execution trace of the host (JSON) adds to a profile: the arguments of each collective
/// call, and the members of the process groups.
struct HostTrace {
    std::string schema;                       ///< "1.0.1", "1.1.0-chakra.0.0.4", …
    std::vector<CollectiveNote> collectives;  ///< in call order; without waits
    std::vector<chakra::ProcessGroup> groups;
};

/// Reads such a trace, compressed or not: arguments as separate lists (1.0.1) or in one object (since 1.0.2),
/// collectives by their attributes if present (since 1.0.3), else by their arguments.
/// \throws InputError naming the file if it cannot be read or is no such trace
HostTrace read_host_trace(const std::string& path);

/// Fills in what the collectives of a profile lack: kind, size, group. Both must cover the same iterations:
/// the n-th collective of one is the n-th of the other.
/// \return why they do not match, in which case nothing is changed; empty if they match
std::string complete(ReplayGraph& graph, const HostTrace& trace);

}  // namespace dse::trace::kineto
