#include "dse/eval/validation/validate.hpp"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/source_text.hpp"
#include "dse/eval/error_bars.hpp"
#include "dse/eval/measure.hpp"
#include "dse/eval/simulator.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "dse/model/compute/rates.hpp"
#include "eval/validation/measured_step.hpp"
#include "eval/validation/row_names.hpp"
#include "eval/validation/stated.hpp"
#include "eval/validation/step_scenario.hpp"

namespace dse::eval {
namespace {

void require_covered(const TruthRow& row) {
    for (const char* metric :
         {"layer_", "prefill", "decode", "inference", "ttft", "itl", "output_throughput"}) {
        if (contains(row.metric, metric) && !row.is_prefill())
            throw ModelError(fmt::format("{}: not a training step", row.metric));
    }
    for (const char* metric : {"activation_per_layer", "activation_vs_no_optimization", "model_states"}) {
        if (contains(row.metric, metric))
            throw ModelError(fmt::format("{}: a closed form, not a training step", row.metric));
    }
    if (!row.misstated.empty()) throw ModelError(row.misstated);
    if (row.metric == "time_to_train") throw ModelError("time to train: needs the samples to convergence");
}

/// Adds error bars to a prediction, and records what they depend on.
metrics::Metrics with_bars(const study::Scenario& scenario, const metrics::Metrics& metrics,
                           Comparison& comparison, ErrorBars& bars) {
    metrics::Metrics answer = metrics;
    bars.add(scenario, comparison.model_template, answer);
    comparison.device = scenario.system.cluster.device.name;
    comparison.stack = scenario.workload.preset.name;
    comparison.probability_fits = answer.probability_fits;
    return answer;
}

/// Sets the prediction of the row's quantity: of a peak that the framework's allocator reports, without the
/// memory outside of it; the memory peak if the row only states whether a run fitted.
void set_predicted(metrics::Metrics metrics, Bytes outside, Comparison& comparison) {
    if (comparison.row.metric == "peak_memory") {
        for (double* peak : {&metrics.memory_peak, &metrics.memory_peak_low, &metrics.memory_peak_high})
            *peak -= outside.value();
    }
    const MemoryMetric value = memory_metric(comparison.is_cell() ? "peak_memory" : comparison.row.metric);
    comparison.predicted = comparison.is_cell() ? comparison.memory_peak
                           : value != nullptr   ? value(metrics)
                                                : metrics.iteration_time;
    if (value == nullptr) {
        comparison.low = metrics.iteration_time_low;
        comparison.high = metrics.iteration_time_high;
    } else if (comparison.predicted == metrics.memory_peak) {
        comparison.low = metrics.memory_peak_low;
        comparison.high = metrics.memory_peak_high;
    }
}

Comparison compare(const TruthRow& row, const std::vector<TruthSource>& sources,
                   const config::Library& library, const study::FidelitySpec& fidelity, ErrorBars& bars) {
    Comparison comparison;
    comparison.row = row;
    try {
        require_covered(row);
        const TruthSource* source = find_source(sources, row);
        if (source == nullptr)
            throw ModelError(
                fmt::format("nothing is known of the software of source '{}' (describe it in a file for "
                            "--sources, like workloads/measured/sources.yaml)",
                            config::excerpt(row.source)));
        comparison.row = with_known_names(row, *source);
        if (const std::string* why = exclusion_of(*source, comparison.row)) throw ModelError(*why);
        if (const std::string* why = set_aside_of(*source, comparison.row)) comparison.set_aside = *why;
        // Of a misprinted row, too, repeats in other releases are the same configuration.
        comparison.row = corrected(comparison.row, *source);
        const TruthRow& facts = comparison.row;
        if (!facts.gpus && !comparison.is_memory())
            throw ModelError("number of devices not stated (column gpus)");
        study::Scenario scenario = step_scenario(facts, *source, library);
        scenario.fidelity = fidelity;
        auto frontend = std::make_unique<frontend::TemplateFrontend>(library);
        if (scenario.workload.model == row.id) {
            frontend::ModelFile described = described_model(row, *source);
            comparison.model_template = described.template_name;
            frontend->define(std::move(described));
        } else {
            comparison.model_template = ErrorBars::template_of(library, scenario.workload);
        }
        Simulator simulator(std::move(frontend));
        const Evaluation& evaluation = simulator.run(scenario, {}, WhenFull::simulate, sim::Asked::For::time);
        const FlopPerSecond rate =
            model::rate_of(scenario.system.cluster.device.peak, scenario.workload.stack.precision);
        comparison.peak_flop = rate.value() * static_cast<double>(scenario.system.devices);
        comparison.model_flop = evaluation.metrics.model_flop;
        comparison.memory_peak = evaluation.metrics.memory_peak;
        if (ends_with_gradients(*source, facts))
            comparison.memory_peak -= evaluation.metrics.memory_optimizer;
        comparison.memory_capacity = scenario.system.cluster.device.memory.capacity.value();
        set_predicted(with_bars(scenario, evaluation.metrics, comparison, bars), memory_outside(scenario),
                      comparison);
        if (comparison.is_memory()) {
            comparison.measured = measured_memory(row);
        } else if (!comparison.is_cell()) {
            comparison.measured = measured_time(row, *source, evaluation.metrics, comparison.peak_flop);
        }
    } catch (const ModelError& error) {
        comparison.why = error.what();
    }
    return comparison;
}

}  // namespace

bool Comparison::is_memory() const {
    return memory_metric(row.metric) != nullptr;
}

bool Comparison::is_cell() const {
    return row.metric == "ran" || row.metric == "out_of_memory";
}

std::vector<Comparison> validate(const std::vector<TruthRow>& rows, const std::vector<TruthSource>& sources,
                                 const config::Library& library, const study::FidelitySpec& fidelity) {
    std::vector<Comparison> comparisons;
    comparisons.reserve(rows.size());
    ErrorBars bars{library};
    for (const TruthRow& row : rows) comparisons.push_back(compare(row, sources, library, fidelity, bars));
    return comparisons;
}

}  // namespace dse::eval
