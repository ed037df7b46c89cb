#pragma once

#include <cstdint>
#include <string>

#include "dse/base/output_file.hpp"
#include "dse/trace/chakra/trace_graph.hpp"

namespace dse::trace::chakra {

/// What was done to a trace so that it can be played.
struct Repair {
    std::uint64_t left_out{0};      ///< dependencies on nodes that are not there
    Waits waits{Waits::for_all};    ///< `for_data`: control dependencies made a cycle and were left out
    std::uint64_t ordered{0};       ///< nodes that wait, by control, for the one before them on their lane
    std::uint64_t contradicted{0};  ///< nodes that could not, since the one before them waits for them
};

/// Copies a trace, field by field, with dependencies as a simulator needs them: on nodes that are there,
/// without a cycle, and such that each lane (see nodes_by_lane) runs in its order. \throws InputError naming
/// the file that cannot be read or written, or whose data dependencies are a cycle
Repair repair_trace(const std::string& from, const std::string& to, Existing existing = Existing::replace);

}  // namespace dse::trace::chakra
