#pragma once

#include "dse/eval/fidelity_spec.hpp"
#include "dse/graph/workload_spec.hpp"
#include "dse/hardware/system_spec.hpp"

namespace dse::eval {

/// A point bound to concrete specifications: everything that decides its answer.
struct Scenario {
    graph::WorkloadSpec workload;
    hardware::SystemSpec system;
    FidelitySpec fidelity;
};

template <class Visitor>
void describe(Visitor& v, Scenario& scenario) {
    v.section("workload", scenario.workload, "what is run");
    v.section("system", scenario.system, "what it runs on");
    v.optional_section("fidelity", scenario.fidelity, "which models answer");
}

}  // namespace dse::eval
