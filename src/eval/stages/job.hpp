#pragma once

#include <cstdint>

#include "dse/eval/evaluation.hpp"
#include "dse/eval/machine.hpp"
#include "dse/graph/parallel_layout.hpp"
#include "dse/graph/workload_spec.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// The input of the stages.
struct Job {
    const study::Scenario& scenario;
    const Machine& machine;
    WhenFull when_full{};
    sim::Asked::For asked{};
    /// The scenario's workload, or that of the prompts that it processes in addition.
    const graph::WorkloadSpec& workload;
    graph::ResolvedLayout layout;  ///< layout of the workload on the machine
    /// Of the scenario, as in Simulator::run.
    std::uint64_t beside_network{0};
};

/// \throws ModelError if the layout is not possible
inline Job job_of(const study::Scenario& scenario, const graph::WorkloadSpec& workload,
                  const Machine& machine, WhenFull when_full, sim::Asked::For asked) {
    return {scenario, machine,  when_full,
            asked,    workload, resolve(workload, scenario.system.devices, machine),
            0};
}

}  // namespace dse::eval
