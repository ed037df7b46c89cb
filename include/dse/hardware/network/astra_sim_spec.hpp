#pragma once

#include <cstdint>

#include "dse/base/units.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// Parameters of ASTRA-sim's system layer beside the network; used by network model `astra_sim` only. The
/// defaults are ASTRA-sim's own where it has any.
struct AstraSimSpec {
    /// Delay of a device before it sends and after it receives a message ("endpoint-delay").
    Seconds endpoint_delay{10e-9};
    /// Chunks of a collective that one dimension processes at once ("active-chunks-per-dimension").
    std::int64_t active_chunks{1};
    /// Memory bandwidth of a reduction, which reads two operands and writes their sum ("local-mem-bw"); 0:
    /// reductions take no time.
    BytesPerSecond reduction_bandwidth;
};

Problems problems_of(const AstraSimSpec& astra_sim);

template <class Visitor>
void describe(Visitor& v, AstraSimSpec& astra_sim) {
    v.optional("endpoint_delay", astra_sim.endpoint_delay, config::not_negative,
               "delay of a device for every message sent or received");
    v.optional("active_chunks", astra_sim.active_chunks, config::at_least(1),
               "chunks that a dimension processes at once");
    v.optional("reduction_bandwidth", astra_sim.reduction_bandwidth, config::not_negative,
               "memory bandwidth of reductions; 0: they take no time");
    check_after_reading(v, astra_sim);
}

}  // namespace dse::hardware
