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
/// microseconds such that the sum over a lane is right; `tid` for host nodes, `stream` for device nodes.
/// Messages between two ranks, whose peer profiles do not name, are written as kernels with their recorded
/// durations.
/// \throws InputError if the file cannot be written
WrittenTrace write_trace(const ReplayGraph& graph, const std::string& path,
                         Existing existing = Existing::replace);

}  // namespace dse::trace::kineto
