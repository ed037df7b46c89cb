#pragma once

#include <cstdint>

#include "dse/base/units.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// What ASTRA-sim's system layer knows beside the network; only the network model `astra_sim` reads it. The
/// defaults are ASTRA-sim's own where it has any.
struct AstraSimSpec {
    /// Paid by a device before it sends and after every message it gets ("endpoint-delay").
    Seconds endpoint_delay{10e-9};
    /// Chunks of a collective that one dimension works on at once ("active-chunks-per-dimension").
    std::int64_t active_chunks{1};
    /// At which a device reads two operands and writes their sum ("local-mem-bw"); 0: reducing costs nothing.
    BytesPerSecond reduction_bandwidth;
};

Problems problems_of(const AstraSimSpec& astra_sim);

template <class Visitor>
void describe(Visitor& v, AstraSimSpec& astra_sim) {
    v.optional("endpoint_delay", astra_sim.endpoint_delay, config::not_negative,
               "of a device, for every message");
    v.optional("active_chunks", astra_sim.active_chunks, config::at_least(1),
               "chunks that a dimension works on at once");
    v.optional("reduction_bandwidth", astra_sim.reduction_bandwidth, config::not_negative,
               "memory bandwidth of reductions; 0: they cost nothing");
    check_after_reading(v, astra_sim);
}

}  // namespace dse::hardware
