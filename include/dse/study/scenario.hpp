#pragma once

#include <cstdint>

#include "dse/graph/workload_spec.hpp"
#include "dse/hardware/system_spec.hpp"
#include "dse/study/fidelity_spec.hpp"

namespace dse::study {

/// A point bound to concrete specifications: everything that decides its answer.
struct Scenario {
    graph::WorkloadSpec workload;
    hardware::SystemSpec system;
    FidelitySpec fidelity;
    /// Of everything that is drawn at this point: follows from the sweep's seed and the point's id
    /// (dse::seed_of), hence no field that a sweep could set.
    std::uint64_t seed{0};
    /// The sweep's own: of what is drawn alike at all points, so that they are compared under equal luck.
    std::uint64_t sweep_seed{0};
};

template <class Visitor>
void describe(Visitor& v, Scenario& scenario) {
    v.section("workload", scenario.workload, "what is run");
    v.section("system", scenario.system, "what it runs on");
    v.optional_section("fidelity", scenario.fidelity, "which models answer");
}

}  // namespace dse::study
