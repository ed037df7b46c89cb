#pragma once

#include <string>
#include <vector>

#include "dse/trace/kineto/replay_graph.hpp"

namespace dse::trace::kineto {

/// What PyTorch's execution trace of the host (JSON) knows beyond a profile: what each collective was asked
/// for, and who is in the process groups.
struct HostTrace {
    std::string schema;                       ///< "1.0.1", "1.1.0-chakra.0.0.4", …
    std::vector<CollectiveNote> collectives;  ///< in the order of the calls; waits are none
    std::vector<chakra::ProcessGroup> groups;
};

/// Reads such a trace, compressed or not: arguments as lists of their own (1.0.1) or in one object (1.0.2
/// on), collectives by their attributes where they have any (1.0.3 on), else by their arguments. \throws
/// InputError naming the file where it cannot be read, or is none
HostTrace read_host_trace(const std::string& path);

/// Gives the collectives of a profile what they lack: kind, size, group. Both have to be of the same
/// iterations: the n-th collective of one is the n-th of the other. \return why they do not fit each other,
/// and then nothing is given; empty where they do
std::string complete(ReplayGraph& graph, const HostTrace& trace);

}  // namespace dse::trace::kineto
