#pragma once

#include <cstdint>
#include <string>

#include "dse/base/output_file.hpp"
#include "dse/trace/kineto/replay_graph.hpp"

namespace dse::trace::kineto {

struct WrittenTrace {
    std::uint64_t nodes{0};
    std::uint64_t collectives{0};
    std::uint64_t collectives_without_size{0};
};

/// Writes the graph of a rank as a Chakra execution trace: recorded durations and starts, rounded to
/// microseconds so that the sum over a lane is right; `tid` of host nodes, `stream` of device nodes. Messages
/// between two ranks, whose peer profiles do not name, are kernels that take what they took.
/// \throws InputError where the file cannot be written
WrittenTrace write_trace(const ReplayGraph& graph, const std::string& path,
                         Existing existing = Existing::replace);

}  // namespace dse::trace::kineto
