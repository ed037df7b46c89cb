#include "dse/eval/validation/validate_energy.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/library_struct.hpp"
#include "dse/config/source_text.hpp"
#include "dse/eval/simulator.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "dse/graph/totals.hpp"
#include "dse/model/energy.hpp"
#include "eval/validation/stated_precision.hpp"

namespace dse::eval {
namespace {

std::int64_t prompt_of(const EnergyFacts& facts, const std::string& task) {
    const auto found = std::ranges::find(facts.tasks, task, &TaskFacts::name);
    if (found == facts.tasks.end())
        throw ModelError(fmt::format("no prompts are described for '{}'", config::excerpt(task)));
    return found->prompt;
}

/// Decode steps with the row's batch, which the replicas of attention share. Each is split over its devices;
/// experts are distributed over those of all replicas.
study::Scenario decode_of(const EnergyRow& row, const EnergyFacts& facts, const config::Library& library) {
    if (!row.power || !row.joules_per_token || !row.tokens_per_second)
        throw ModelError("power or throughput is not stated");
    if (row.devices % row.dp != 0)
        throw ModelError(fmt::format("{} devices are not shared equally by {} replicas of attention",
                                     row.devices, row.dp));
    study::Scenario scenario;
    scenario.system.cluster = config::read_from_library<hardware::ClusterSpec>(
        library, "hardware/clusters", require_named(facts.clusters, row.gpu, "machine").file, row.gpu);
    scenario.system.devices = row.devices;
    graph::WorkloadSpec& workload = scenario.workload;
    const NamedFile& model = require_named(facts.models, row.model, "model");
    workload.model = model.file;
    workload.mode = graph::Mode::decode;
    const std::string& stack = model.stack.empty() ? facts.stack : model.stack;
    workload.stack =
        config::read_from_library<graph::NamedStack>(library, "workloads/stacks", stack, row.model).values;
    set_precision(require_named(facts.precisions, row.precision, "precision"), scenario.system.cluster.device,
                  workload.stack);
    const auto replicas = static_cast<double>(row.dp);
    workload.global_batch = row.dp * std::max<std::int64_t>(1, std::llround(row.batch / replicas));
    workload.sequence = prompt_of(facts, row.task);
    workload.serving.output = std::max<std::int64_t>(1, std::llround(row.output));
    workload.layout.tp = row.devices / row.dp;
    workload.layout.ep = row.ep;
    workload.layout.etp = row.ep > 1 ? 1 : 0;
    return scenario;
}

/// Prefill of the number of prompts that a step of each replica processes.
study::Scenario prefill_of(study::Scenario scenario, const EnergyFacts& facts, std::int64_t replicas) {
    scenario.workload.mode = graph::Mode::prefill;
    std::int64_t& batch = scenario.workload.global_batch;
    batch = std::min(batch, facts.prompts_at_once * replicas);
    return scenario;
}

/// Simulates steps on the machines of a table and returns the activity of a device.
class Steps {
  public:
    Steps(const config::Library& library, const study::FidelitySpec& fidelity)
        : fidelity_{fidelity}, simulator_{std::make_unique<frontend::TemplateFrontend>(library)} {}

    model::Activity operator()(const EnergyRow& row, study::Scenario scenario) {
        scenario.fidelity = fidelity_;
        const auto machine = machines_.emplace(row.gpu, machines_.size()).first->second;
        const std::vector<double> key{static_cast<double>(machine), static_cast<double>(row.devices)};
        // The row was measured, so it is simulated even if it is predicted not to fit into memory.
        const Evaluation& run = simulator_.run(scenario, key, WhenFull::simulate, sim::Asked::For::time);
        if (run.graph == nullptr || !(run.result.iteration_time > 0.0))
            throw ModelError("its step cannot be played");
        const graph::Totals total = graph::totals(*run.graph);
        // A graph of decode contains several steps.
        const double share =
            run.metrics.executed_flop / total.executed_flop.value() / static_cast<double>(row.devices);
        return {Seconds{run.result.iteration_time}, total.executed_flop * share, total.memory_traffic * share,
                total.sent * share, scenario.workload.stack.precision};
    }

  private:
    study::FidelitySpec fidelity_;
    Simulator simulator_;
    std::map<std::string, std::size_t> machines_;
};

model::Activity together(const model::Activity& a, double times, const model::Activity& b, double more) {
    return {a.duration * times + b.duration * more, a.flop * times + b.flop * more,
            a.memory * times + b.memory * more, a.sent * times + b.sent * more, a.precision};
}

/// Activity for one request, which accounts for 1 / batch of each decode step.
model::Activity request_of(const EnergyRow& row, const EnergyFacts& facts, const study::Scenario& decode,
                           Steps& steps) {
    model::Activity step = steps(row, decode);
    const auto batch = static_cast<double>(decode.workload.global_batch);
    step.duration += facts.host_time + facts.host_time_sequence * batch;
    const study::Scenario prefill = prefill_of(decode, facts, row.dp);
    const model::Activity reading = steps(row, prefill);
    const auto prompts = static_cast<double>(prefill.workload.global_batch);
    return together(step, row.output / batch, reading, 1.0 / prompts);
}

void set_parts(const hardware::DeviceSpec& device, const model::Activity& activity,
               EnergyComparison& comparison) {
    const Joules operations = activity.flop * model::energy_of_operation(device, activity.precision) +
                              activity.sent * device.power.per_link_byte;
    comparison.operations_power = (operations / activity.duration).value();
    comparison.bytes_per_second = (activity.memory / activity.duration).value();
}

EnergyComparison compare_energy(const EnergyRow& row, const EnergyFacts& facts,
                                const config::Library& library, Steps& steps) {
    EnergyComparison comparison;
    comparison.row = row;
    try {
        const study::Scenario decode = decode_of(row, facts, library);
        const hardware::ClusterSpec& cluster = decode.system.cluster;
        const auto devices = static_cast<double>(row.devices);
        model::Activity request = request_of(row, facts, decode, steps);
        comparison.power = devices * device_power(cluster.device, request).value();
        comparison.joules_per_token = comparison.power * request.duration.value() / row.output;
        request.duration = Seconds{row.output / *row.tokens_per_second};
        comparison.power_at_pace = devices * device_power(cluster.device, request).value();
        set_parts(cluster.device, request, comparison);
    } catch (const ModelError& error) {
        comparison.why = error.what();
    }
    return comparison;
}

using EnergyRows = std::vector<const EnergyComparison*>;

double middle(std::vector<double> values) {
    if (values.empty()) return std::nan("");
    std::ranges::sort(values);
    return values[values.size() / 2];
}

template <class Error>
EnergySummary::Errors energy_errors(const EnergyRows& rows, Error error) {
    std::vector<double> all;
    std::vector<double> sizes;
    double total = 0.0;
    for (const EnergyComparison* each : rows) {
        all.push_back(std::invoke(error, *each));
        sizes.push_back(std::abs(all.back()));
        total += sizes.back();
    }
    return {middle(sizes), total / static_cast<double>(rows.size()), middle(all)};
}

EnergySummary energy_summary(const std::string& name, const EnergyRows& rows) {
    return {name, rows.size(), energy_errors(rows, &EnergyComparison::energy_error),
            energy_errors(rows, &EnergyComparison::power_error),
            energy_errors(rows, &EnergyComparison::power_at_pace_error)};
}

}  // namespace

std::vector<EnergyComparison> validate_energy(const std::vector<EnergyRow>& rows, const EnergyFacts& facts,
                                              const config::Library& library,
                                              const study::FidelitySpec& fidelity) {
    Steps steps{library, fidelity};
    std::vector<EnergyComparison> comparisons;
    comparisons.reserve(rows.size());
    for (const EnergyRow& row : rows) comparisons.push_back(compare_energy(row, facts, library, steps));
    return comparisons;
}

std::vector<EnergySummary> summarize(const std::vector<EnergyComparison>& comparisons) {
    std::map<std::string, EnergyRows> groups;
    EnergyRows all;
    for (const EnergyComparison& each : comparisons) {
        if (!each.is_compared()) continue;
        groups[each.row.gpu + (each.row.has_experts ? " experts" : " dense")].push_back(&each);
        all.push_back(&each);
    }
    std::vector<EnergySummary> summaries;
    summaries.reserve(groups.size() + 1);
    for (const auto& [name, rows] : groups) summaries.push_back(energy_summary(name, rows));
    if (!all.empty()) summaries.push_back(energy_summary("all", all));
    return summaries;
}

}  // namespace dse::eval
