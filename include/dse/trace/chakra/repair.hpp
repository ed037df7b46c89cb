#pragma once

#include <cstdint>
#include <string>

#include "dse/base/output_file.hpp"
#include "dse/trace/chakra/trace_graph.hpp"

namespace dse::trace::chakra {

/// Changes that made a trace usable in simulators.
struct Repair {
    std::uint64_t left_out{0};      ///< dependencies on nodes that do not exist
    Waits waits{Waits::for_all};    ///< `for_data`: control dependencies formed a cycle and were dropped
    std::uint64_t ordered{0};       ///< nodes that got a control dependency on their predecessor on the lane
    std::uint64_t contradicted{0};  ///< nodes that could not get one, since their predecessor waits for them
};

/// Copies a trace field by field, with dependencies as simulators need them: on existing nodes only, without
/// cycles, and such that each lane (see nodes_by_lane) runs in order.
/// \throws InputError naming the file that cannot be read or written, or whose data dependencies form a cycle
Repair repair_trace(const std::string& from, const std::string& to, Existing existing = Existing::replace);

}  // namespace dse::trace::chakra
