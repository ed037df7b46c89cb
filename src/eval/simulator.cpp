#include "dse/eval/simulator.hpp"

#include <utility>

#include "dse/base/checkpoint.hpp"
#include "dse/base/error.hpp"
#include "eval/iteration.hpp"
#include "eval/serve/answer_requests.hpp"
#include "eval/serving.hpp"

namespace dse::eval {
namespace {

bool is_served(const graph::WorkloadSpec& workload) {
    return !is_laid_out(workload) && is_inference(workload.mode);
}

}  // namespace

struct Simulator::Impl {
    Impl(std::unique_ptr<frontend::Frontend> frontend, const std::string& folder)
        : stages{std::move(frontend), [this] { check_whether_to_go_on(); }, machines}, traces{folder} {}

    void check_whether_to_go_on() const {
        if (stopped != nullptr && stopped()) throw Stopped("stopped in the middle of a point");
        stages.deadline.check();
    }

    MachineCache machines;
    Stages stages;
    TraceShelf traces;
    Servers servers;
    bool (*stopped)(){nullptr};
    Evaluation evaluation;
};

Simulator::Simulator(std::unique_ptr<frontend::Frontend> frontend, const std::string& folder)
    : impl_{std::make_unique<Impl>(std::move(frontend), folder)} {}

Simulator::~Simulator() = default;

const Evaluation& Simulator::run(const study::Scenario& scenario, std::span<const double> system_key,
                                 WhenFull when_full, sim::Asked::For asked, std::uint64_t beside_network) {
    Impl& impl = *impl_;
    impl.evaluation = {};
    impl.evaluation.scenario = &scenario;
    impl.stages.deadline = Deadline{scenario.fidelity.time_limit};
    const CheckpointScope scope{[&impl] { impl.check_whether_to_go_on(); }};
    impl.stages.tidy();
    if (!is_laid_out(scenario.workload) && scenario.workload.mode == graph::Mode::serving) {
        const auto checkpoint = [&impl] { impl.check_whether_to_go_on(); };
        answer_requests(
            {scenario, system_key, when_full, asked, impl.stages, impl.traces, impl.servers, checkpoint},
            impl.evaluation);
        return impl.evaluation;
    }
    const Machine& machine = impl.machines.find(system_key, scenario, beside_network);
    Job job = job_of(scenario, scenario.workload, machine, when_full, asked);
    job.beside_network = beside_network;
    const auto evaluate = is_served(scenario.workload) ? evaluate_serving : evaluate_iteration;
    evaluate(job, impl.stages, impl.evaluation);
    return impl.evaluation;
}

void Simulator::forget() {
    impl_->evaluation = {};
    impl_->stages.forget();
    impl_->servers.forget();
    impl_->machines = MachineCache{};
}

void Simulator::stop_when(bool (*stopped)()) {
    impl_->stopped = stopped;
}

const Evaluation& Simulator::last() const {
    return impl_->evaluation;
}

}  // namespace dse::eval
