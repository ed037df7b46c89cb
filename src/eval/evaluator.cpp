#include "dse/eval/evaluator.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/config/quantity.hpp"
#include "dse/eval/durations.hpp"
#include "dse/eval/measure.hpp"
#include "dse/frontend/template/template_frontend.hpp"

namespace dse::eval {
namespace {

using workload::MemoryKind;

/// A point that does not fit its devices.
class OutOfMemory : public ModelError {
  public:
    using ModelError::ModelError;
};

std::string gibibytes(double bytes) {
    return fmt::format("{:.1f} GiB", bytes / 1073741824.0);
}

/// "needs 103.2 GiB of 80.0 GiB on stage 0, most of it activations (71.0 GiB)"
[[noreturn]] void does_not_fit(double need, double capacity, std::size_t stage,
                               const sim::BytesByKind& by_kind) {
    const auto largest = std::max_element(by_kind.begin(), by_kind.end());
    const auto kind = static_cast<MemoryKind>(largest - by_kind.begin());
    throw OutOfMemory(fmt::format("needs {} of {} on stage {}, most of it {} ({})", gibibytes(need),
                                  gibibytes(capacity), stage, workload::name(kind), gibibytes(*largest)));
}

}  // namespace

/// What depends on a graph's numbers and a machine only.
struct Evaluator::Costs {
    std::uint64_t revision{0};
    const Machine* machine{nullptr};
    double launch_time{0};
    sim::Durations durations;
    workload::TotalsCounter totals;
};

Evaluator::Evaluator(const Sweep& sweep)
    : sweep_{sweep}, binder_{sweep}, frontend_{std::make_unique<frontend::TemplateFrontend>(sweep.library)} {}

Evaluator::~Evaluator() = default;

void Evaluator::forget() {
    costs_.clear();
    engines_.clear();
    machines_ = MachineCache{};
    frontend_ = std::make_unique<frontend::TemplateFrontend>(sweep_.library);
}

const Evaluator::Costs& Evaluator::costs_of(const workload::Graph& graph, const Machine& machine) {
    // Graphs live as long as the structures of the frontend, which are few.
    constexpr std::size_t most_costs = 8192;
    if (costs_.size() >= most_costs) costs_.clear();
    Costs& costs = costs_[&graph];
    const hardware::HostSpec& host = binder_.scenario().system.cluster.host;
    const bool same_numbers = costs.revision == graph.revision;
    if (!same_numbers) costs.totals.read(graph);
    if (!same_numbers || costs.machine != &machine || costs.launch_time != host.launch_time.value()) {
        costs.revision = 0;  // stays so if a model refuses
        fill_durations(graph, machine, host, costs.durations);
        costs.machine = &machine;
        costs.launch_time = host.launch_time.value();
        costs.revision = graph.revision;
    }
    return costs;
}

/// The cheapest test first: what is resident throughout must fit before anything is played.
void Evaluator::require_room(const workload::Graph& graph, const Costs&) const {
    const double capacity = binder_.scenario().system.cluster.device.memory.capacity.value();
    const double overhead = 1.0 + binder_.scenario().workload.stack.allocator_overhead;
    for (std::size_t stage = 0; stage < graph.program_of.size(); ++stage) {
        sim::BytesByKind by_kind{};
        double total = 0.0;
        for (const workload::BufferId id : graph.programs[graph.program_of[stage]].resident) {
            const workload::Buffer& buffer = graph.buffers[id.index()];
            by_kind[static_cast<std::size_t>(buffer.kind)] += buffer.size.value();
            total += buffer.size.value();
        }
        if (total * overhead > capacity) does_not_fit(total * overhead, capacity, stage, by_kind);
    }
}

void Evaluator::answer(const space::Point& point, space::Record& record, Explanation* explanation) {
    binder_.bind(point.values);
    const Scenario& scenario = binder_.scenario();
    const workload::ResolvedLayout layout =
        workload::resolve(scenario.workload.layout, scenario.system.devices, scenario.workload.global_batch);
    const Machine& machine = machines_.find(binder_.system_key(), scenario);
    const workload::Graph& graph = frontend_->build(scenario.workload, layout);
    if (explanation != nullptr) explanation->graph = &graph;
    const Costs& costs = costs_of(graph, machine);
    if (explanation != nullptr) explanation->durations = &costs.durations;
    if (explanation == nullptr) require_room(graph, costs);

    std::unique_ptr<sim::Engine>& engine = engines_[scenario.fidelity.engine];
    if (!engine) engine = sim::engines().find(scenario.fidelity.engine)();
    const sim::Result result = engine->play(graph, costs.durations);
    if (explanation != nullptr) explanation->result = result;
    const double peak = peak_memory(scenario, result.memory).value();
    const double capacity = scenario.system.cluster.device.memory.capacity.value();
    if (peak > capacity) does_not_fit(peak, capacity, result.memory.stage, result.memory.by_kind);
    record.metrics = measure(scenario, graph, costs.totals.all(graph), result);
    record.status = space::Status::ok;
}

void Evaluator::evaluate(const space::Point& point, space::Record& record) {
    record.point = point;
    record.reason.clear();
    record.metrics = metrics::Metrics{};
    try {
        answer(point, record, nullptr);
    } catch (const OutOfMemory& error) {
        record.status = space::Status::out_of_memory;
        record.reason = error.what();
    } catch (const ModelError& error) {
        record.status = space::Status::outside_validity;
        record.reason = error.what();
    }
}

Explanation Evaluator::explain(const space::Point& point) {
    Explanation explanation;
    explanation.scenario = &binder_.scenario();
    explanation.record.point = point;
    try {
        answer(point, explanation.record, &explanation);
    } catch (const OutOfMemory& error) {
        explanation.record.status = space::Status::out_of_memory;
        explanation.record.reason = error.what();
    } catch (const ModelError& error) {
        explanation.record.status = space::Status::outside_validity;
        explanation.record.reason = error.what();
    }
    return explanation;
}

}  // namespace dse::eval
