#include "dse/hardware/astra_sim_spec.hpp"

namespace dse::hardware {

Problems problems_of(const AstraSimSpec& astra_sim) {
    Problems problems;
    problems.not_negative("endpoint_delay", astra_sim.endpoint_delay, "a time");
    problems.at_least("active_chunks", static_cast<double>(astra_sim.active_chunks), 1,
                      "a dimension that works on no chunk never ends");
    problems.not_negative("reduction_bandwidth", astra_sim.reduction_bandwidth, "a rate; 0: no cost");
    return problems;
}

}  // namespace dse::hardware
