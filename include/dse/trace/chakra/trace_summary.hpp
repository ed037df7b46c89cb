#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dse/trace/chakra/trace_graph.hpp"

namespace dse::trace::chakra {

/// Totals of one kind of communication on a rank.
struct CommunicationTotal {
    NodeType type{NodeType::comm_coll};
    CommType kind{CommType::all_reduce};   ///< if `type` is a collective
    std::uint32_t group{TraceStep::none};  ///< see RankTrace::groups
    std::uint64_t nodes{0};
    double bytes{0};  ///< as stated in the file (comm_size)
};

struct LaneTotal {
    Lane lane;
    std::uint64_t nodes{0};
    std::uint64_t micros{0};  ///< sum of the recorded durations
};

/// Summary of a trace.
struct TraceSummary {
    std::uint64_t nodes{0};
    std::array<std::uint64_t, node_type_count> by_type{};
    std::uint64_t host_nodes{0};  ///< is_cpu_op
    std::uint64_t control_dependencies{0};
    std::uint64_t data_dependencies{0};
    std::uint64_t timed_nodes{0};                   ///< with a duration > 0
    double num_ops{0};                              ///< of kernels on the device
    double kernel_bytes{0};                         ///< tensor_size of kernels on the device
    double copied_bytes{0};                         ///< tensor_size of loads and stores
    std::vector<CommunicationTotal> communication;  ///< by type, kind, group
    std::vector<LaneTotal> lanes;
    NodeCost path_cost{NodeCost::duration};  ///< `one` if no durations are recorded
    Waits path_waits{Waits::for_all};        ///< `for_data` if all dependencies together have a cycle
    CriticalPath path;                       ///< empty if the data dependencies have a cycle
};

TraceSummary summarise(const Trace& trace);

}  // namespace dse::trace::chakra
