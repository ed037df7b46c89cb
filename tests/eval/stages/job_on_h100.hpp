#pragma once

#include <memory>

#include "dse/frontend/template/template_frontend.hpp"
#include "eval/stages/build.hpp"
#include "eval/stages/job.hpp"
#include "model/devices.hpp"

namespace dse::eval::test {

/// Llama-3 8B on 16 H100s, for the stages of an evaluation.
class JobOnH100 {
  public:
    JobOnH100() {
        scenario.system.cluster = model::catalogue_cluster("h100_ndr400");
        scenario.system.devices = 16;
        scenario.workload.model = "llama3_8b";
        scenario.workload.global_batch = 16;
        scenario.workload.sequence = 2048;
        scenario.workload.layout.tp = 4;
    }

    /// \param key             equal keys, equal machine
    /// \param beside_network  as in Simulator::run
    Job job(double key = 0.0, WhenFull when_full = WhenFull::refuse, std::uint64_t beside_network = 0) {
        const Machine& machine = machines_.find({&key, 1}, scenario, beside_network);
        return job_of(scenario, scenario.workload, machine, when_full, sim::Asked::For::parts);
    }

    study::Scenario scenario;
    Build build{std::make_unique<frontend::TemplateFrontend>(config::Library::standard(""))};

    [[nodiscard]] const MachineCache& machines() const { return machines_; }

  private:
    MachineCache machines_;
};

}  // namespace dse::eval::test
