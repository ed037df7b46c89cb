#pragma once

#include <string>

namespace dse::eval {

/// Which model answers for which part: names of registry rows. One workload, many predictors.
struct FidelitySpec {
    std::string compute{"roofline"};
    std::string network{"latency_bandwidth"};
    std::string engine{"folded"};
};

template <class Visitor>
void describe(Visitor& v, FidelitySpec& fidelity) {
    v.optional("compute", fidelity.compute, "model of operators");
    v.optional("network", fidelity.network, "model of communication");
    v.optional("engine", fidelity.engine, "how the graph is played");
}

}  // namespace dse::eval
