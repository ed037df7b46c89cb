#pragma once

#include <string>

#include "dse/base/units.hpp"
#include "dse/config/range.hpp"

namespace dse::study {

/// The models used for each part of a prediction, by name in their registries.
struct FidelitySpec {
    std::string compute{"roofline"};
    std::string network{"latency_bandwidth"};
    std::string engine{"folded"};
    /// Limit of the wall time of one point; 0 for no limit. Checked between the phases of an evaluation and
    /// in every potentially long loop. Points take micro- to milliseconds; minutes usually indicate a
    /// mistake.
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
