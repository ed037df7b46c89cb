#pragma once

#include "dse/eval/evaluation.hpp"
#include "dse/eval/machine.hpp"
#include "dse/graph/parallel_layout.hpp"
#include "dse/graph/workload_spec.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// What the stages work on.
struct Job {
    const study::Scenario& scenario;
    const Machine& machine;
    WhenFull when_full;
    sim::Asked::For asked;
    /// The scenario's, or of the prompts that it reads besides.
    const graph::WorkloadSpec& workload;
    graph::ResolvedLayout layout;  ///< of the workload on the machine
};

/// \throws ModelError where the layout is none
inline Job job_of(const study::Scenario& scenario, const graph::WorkloadSpec& workload,
                  const Machine& machine, WhenFull when_full, sim::Asked::For asked) {
    return {scenario, machine,  when_full,
            asked,    workload, resolve(workload, scenario.system.devices, machine)};
}

}  // namespace dse::eval
