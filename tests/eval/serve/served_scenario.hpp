#pragma once

#include <memory>

#include "dse/eval/simulator.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "eval/stages/stages.hpp"
#include "model/devices.hpp"

namespace dse::eval {

/// Llama-3 8B on two replicas of two H100s.
inline study::Scenario served_scenario() {
    study::Scenario scenario;
    scenario.system.cluster = model::catalogue_cluster("h100_ndr400");
    scenario.system.devices = 4;
    scenario.workload.model = "llama3_8b";
    scenario.workload.mode = graph::Mode::serving;
    scenario.workload.layout.tp = 2;
    scenario.workload.stack.cuda_graphs = true;
    scenario.workload.traffic.rate = graph::Frequency{8.0};
    scenario.workload.traffic.prompt = 500;
    scenario.workload.traffic.output = 50;
    scenario.workload.traffic.requests = 200;
    return scenario;
}

inline std::unique_ptr<frontend::Frontend> library_frontend() {
    return std::make_unique<frontend::TemplateFrontend>(config::Library::standard(""));
}

/// What a step player works with.
struct PlayedScenario {
    study::Scenario scenario = served_scenario();
    MachineCache machines;
    Stages stages{library_frontend(), [] {}, machines};

    const Machine& machine() { return machines.find({}, scenario); }
};

}  // namespace dse::eval
