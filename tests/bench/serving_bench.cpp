// How long an hour of traffic takes on one core once its steps are known: a trace like Mooncake's
// conversations (that itself where DSE_CONFORMANCE says where it lies), and short requests; and that a step
// allocates nothing.

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "bench/allocations.hpp"
#include "dse/eval/machine.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "dse/serving/deployment.hpp"
#include "dse/serving/draw_requests.hpp"
#include "dse/serving/trace_reader.hpp"
#include "eval/serve/step_table.hpp"
#include "model/devices.hpp"

namespace dse {
namespace {

/// Llama-3 70B on eight H100s.
struct Server {
    Server() {
        scenario.system.cluster = model::catalogue_cluster("h100_ndr400");
        scenario.system.devices = 8;
        scenario.workload.model = "llama3_70b";
        scenario.workload.mode = graph::Mode::serving;
        scenario.workload.layout.tp = 8;
        scenario.workload.stack.cuda_graphs = true;
        const eval::Machine& machine = machines.find({}, scenario);
        player =
            std::make_unique<eval::StepPlayer>(scenario, machine, machine, eval::WhenFull::refuse, stages);
        steps.serve(*player, step_key(scenario, machine));
        deployment.limits.pages = 90'000;
    }

    study::Scenario scenario;
    eval::MachineCache machines;
    eval::Stages stages{std::make_unique<frontend::TemplateFrontend>(config::Library::standard("")), [] {},
                        machines};
    std::unique_ptr<eval::StepPlayer> player;
    eval::StepTable steps;
    serving::Deployment deployment;
};

/// Mooncake's conversations: 12,031 requests an hour, prompts of 12,035 and answers of 343 tokens in the mean
/// (Qin et al., FAST 2025).
serving::Requests mooncake() {
    if (const char* folder = std::getenv("DSE_CONFORMANCE")) {
        const auto file = std::filesystem::path{folder} / "serving/traces/mooncake_conversation.csv.gz";
        if (std::filesystem::exists(file)) return serving::read_trace(file.string(), 0);
    }
    graph::Traffic traffic;
    traffic.rate = graph::Frequency{12031.0 / 3536.0};
    traffic.requests = 12031;
    traffic.prompt = 12035;
    traffic.prompt_spread = 1.0;
    traffic.output = 343;
    traffic.output_spread = 0.8;
    return serving::draw_requests(traffic, 1);
}

serving::Requests short_traffic() {
    graph::Traffic traffic;
    traffic.rate = graph::Frequency{20.0};
    traffic.requests = 100'000;
    traffic.prompt = 200;
    traffic.output = 50;
    traffic.output_spread = 0.5;
    return serving::draw_requests(traffic, 1);
}

void serve(benchmark::State& state, const serving::Requests& requests) {
    Server server;
    serving::Requests again = requests;
    serving::serve(server.deployment, server.steps, again, {});  // the table is warm from here on
    std::uint64_t allocated = 0;
    serving::Outcome outcome;
    for (auto _ : state) {
        again = requests;
        const std::uint64_t before = allocations.load();
        outcome = serving::serve(server.deployment, server.steps, again, {});
        allocated = allocations.load() - before;
    }
    state.counters["requests/s"] = benchmark::Counter(static_cast<double>(outcome.answered),
                                                      benchmark::Counter::kIsIterationInvariantRate);
    state.counters["steps"] = static_cast<double>(outcome.steps);
    state.counters["allocations"] = static_cast<double>(allocated);
    state.counters["played"] = static_cast<double>(server.steps.played());
}

void BM_Mooncake(benchmark::State& state) {
    serve(state, mooncake());
}
BENCHMARK(BM_Mooncake)->Unit(benchmark::kMillisecond);

void BM_ShortTraffic(benchmark::State& state) {
    serve(state, short_traffic());
}
BENCHMARK(BM_ShortTraffic)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dse
