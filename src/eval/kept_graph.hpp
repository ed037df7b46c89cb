#pragma once

#include "dse/eval/simulator.hpp"
#include "dse/graph/class_split.hpp"

namespace dse::eval {

/// What is kept of a graph: each part with all that it depends on.
struct Simulator::Kept {
    struct Costs {
        std::uint64_t revision{0};  ///< of the graph
        std::uint64_t machine{0};   ///< its serial
        sim::Durations durations;
        graph::TotalsCounter totals;
    } costs;
    struct Memory {
        std::uint64_t revision{0};
        graph::ScheduleKind schedule{};
        std::uint32_t microbatches{0};
        sim::MemoryPeak peak;
    } memory;
    /// Where stages have devices of their own classes: the graph with kernels for each.
    graph::ClassSplit split;
};

}  // namespace dse::eval
