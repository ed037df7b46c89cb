#pragma once

#include "dse/eval/simulator.hpp"
#include "dse/workload/class_split.hpp"

namespace dse::eval {

/// What is kept of a graph: each part with all that it depends on.
struct Simulator::Kept {
    struct Costs {
        std::uint64_t revision{0};  ///< of the graph
        std::uint64_t machine{0};   ///< its serial
        sim::Durations durations;
        workload::TotalsCounter totals;
    } costs;
    struct Memory {
        std::uint64_t revision{0};
        workload::ScheduleKind schedule{};
        std::uint32_t microbatches{0};
        sim::MemoryPeak peak;
    } memory;
    /// Where stages have devices of their own classes: the graph with kernels for each.
    workload::ClassSplit split;
};

}  // namespace dse::eval
