#pragma once

#include <cstdint>

#include "dse/graph/workload_spec.hpp"
#include "dse/hardware/system_spec.hpp"
#include "dse/study/fidelity_spec.hpp"

namespace dse::study {

/// A point bound to concrete specifications: everything that determines its result.
struct Scenario {
    graph::WorkloadSpec workload;
    hardware::SystemSpec system;
    FidelitySpec fidelity;
    /// Seed of the random numbers of this point. It follows from the sweep's seed and the point's id
    /// (dse::seed_of), so it is not a field that a sweep can set.
    std::uint64_t seed{0};
    /// The sweep's seed, for random numbers that are common to all points so that points are comparable.
    std::uint64_t sweep_seed{0};
};

template <class Visitor>
void describe(Visitor& v, Scenario& scenario) {
    v.section("workload", scenario.workload, "what is run");
    v.section("system", scenario.system, "what it runs on");
    v.optional_section("fidelity", scenario.fidelity, "which models answer");
}

}  // namespace dse::study
