#pragma once

#include <string>

#include "dse/base/units.hpp"
#include "dse/config/range.hpp"

namespace dse::study {

/// Which model answers for which part: names of registry rows. One workload, many predictors.
struct FidelitySpec {
    std::string compute{"roofline"};
    std::string network{"latency_bandwidth"};
    std::string engine{"folded"};
    /// Wall time that one point may take, > 0; 0 for no limit. Looked at between the phases of an evaluation,
    /// and in every loop that may be long. Points take micro- to milliseconds: what takes minutes is a
    /// mistake more often than an answer.
    Seconds time_limit{300.0};
};

template <class Visitor>
void describe(Visitor& v, FidelitySpec& fidelity) {
    v.optional("compute", fidelity.compute, "model of operators");
    v.optional("network", fidelity.network, "model of communication");
    v.optional("engine", fidelity.engine, "how the graph is played");
    v.optional("time_limit", fidelity.time_limit, config::not_negative,
               "wall time of one point; 0 s for no limit");
}

}  // namespace dse::study
