#include "dse/eval/validation/validate_serving.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>

#include "dse/base/statistics.hpp"
#include "dse/eval/error_bars.hpp"
#include "dse/eval/error_table.hpp"
#include "dse/eval/simulator.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "eval/validation/serving_scenario.hpp"

namespace dse::eval {
namespace {

/// Normal scatter of the time per output token between repeated measurements of a configuration.
constexpr double noise = 0.05;

/// Order of the rows in which those that can share machines and step times are adjacent.
std::vector<std::size_t> by_deployment(const std::vector<ServingRow>& rows) {
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t i) {
        const ServingRow& row = rows[i];
        return std::tie(row.gpu, row.framework, row.release, row.model, row.quantization, row.worker.tp,
                        row.worker.moe_ep, row.decode.tp);
    };
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    return order;
}

/// Each configuration counts once, and less if its repeated measurements scatter by more than `noise`.
void set_weights(std::vector<ServingComparison>& comparisons) {
    const auto measured = [](const ServingRow& row) {
        return std::tuple(row.configuration, row.release, row.prompt, row.output, row.concurrency);
    };
    std::map<decltype(measured(ServingRow{})), std::vector<double>> repeats;
    for (const ServingComparison& each : comparisons) {
        if (each.is_compared() && !each.row.configuration.empty())
            repeats[measured(each.row)].push_back(*each.row.tpot);
    }
    for (ServingComparison& each : comparisons) {
        const auto found = repeats.find(measured(each.row));
        if (!each.is_compared() || found == repeats.end()) continue;
        const auto [least, most] = std::ranges::minmax(found->second);
        const double scatter = 0.5 * (most / least - 1.0);
        each.weight = std::min(1.0, noise / scatter) / static_cast<double>(found->second.size());
    }
}

/// Simulates rows of a table; costs and step times are shared between rows with the same machine.
class Machines {
  public:
    Machines(const config::Library& library, const study::FidelitySpec& fidelity)
        : fidelity_{fidelity}, simulator_{std::make_unique<frontend::TemplateFrontend>(library)} {}

    const metrics::Metrics& run(const ServingRow& row, study::Scenario scenario) {
        scenario.fidelity = fidelity_;
        // The values that determine the system of a scenario; pools have separate machines.
        const std::vector<double> key{number("gpu " + row.gpu), number(row.framework + row.release),
                                      static_cast<double>(scenario.system.devices),
                                      static_cast<double>(scenario.system.pools.prefill.devices)};
        return simulator_.run(scenario, key, WhenFull::refuse, sim::Asked::For::time).metrics;
    }

  private:
    double number(const std::string& name) {
        return static_cast<double>(numbers_.emplace(name, numbers_.size()).first->second);
    }

    study::FidelitySpec fidelity_;
    Simulator simulator_;
    std::map<std::string, std::size_t> numbers_;
};

/// First words of the stacks of engines, by their names in tables.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> engines{
    {{"vllm", "vLLM"}, {"trtllm", "TensorRT-LLM"}, {"sglang", "SGLang"}}};

std::string_view stack_of(const std::string& framework) {
    const auto* engine = std::ranges::find(engines, framework, &decltype(engines)::value_type::first);
    return engine == engines.end() ? std::string_view{framework} : engine->second;
}

void set_bars(const study::Scenario& scenario, const ErrorTable& errors, ServingComparison& comparison) {
    ErrorTable::Case which{scenario.system.cluster.device.name, stack_of(comparison.row.framework),
                           comparison.model_template, scenario.system.devices, graph::Mode::serving};
    which.prompt = comparison.row.prompt;
    comparison.ttft_bars = errors.of_first_token(which);
    comparison.tpot_bars = errors.of(which).time;
}

ServingComparison compare_deployment(const ServingRow& row, const ServingFacts& facts,
                                     const config::Library& library, const ErrorTable& errors,
                                     Machines& machines) {
    ServingComparison comparison;
    comparison.row = row;
    try {
        const study::Scenario scenario = serving_scenario(row, facts, library);
        comparison.model_template = ErrorBars::template_of(library, scenario.workload);
        set_bars(scenario, errors, comparison);
        const metrics::Metrics& metrics = machines.run(row, scenario);
        comparison.ttft = metrics.ttft_mean;
        comparison.tpot = metrics.tpot_mean;
        comparison.overloaded = *row.ttft > facts.overload.value();
        if (std::isnan(comparison.tpot)) comparison.why = "no answer has two tokens, or none fits";
    } catch (const ModelError& error) {
        comparison.why = error.what();
    }
    return comparison;
}

using Rows = std::vector<const ServingComparison*>;

template <class Error>
ServingSummary::Errors errors_of(const Rows& rows, Error error) {
    std::vector<std::pair<double, double>> absolute;
    std::vector<std::pair<double, double>> all;
    for (const ServingComparison* each : rows) {
        const double value = std::invoke(error, *each);
        absolute.emplace_back(std::abs(value), each->weight);
        all.emplace_back(value, each->weight);
    }
    return {all.size(), weighted_quantile(std::move(absolute), 0.5), weighted_quantile(std::move(all), 0.5),
            std::nan(""), std::nan("")};
}

/// Of rows that have bars.
template <class Error>
void add_bars(const Rows& rows, Error error, ErrorInterval ServingComparison::*bars,
              ServingSummary::Errors& to) {
    double inside = 0.0;
    double weights = 0.0;
    std::vector<std::pair<double, double>> widths;
    for (const ServingComparison* each : rows) {
        const ErrorInterval& interval = each->*bars;
        if (!(interval.width > 0.0)) continue;
        const double longer = -std::log1p(std::invoke(error, *each));
        const bool is_inside = std::abs(longer - interval.shift) <= interval.width;
        inside += is_inside ? each->weight : 0.0;
        weights += each->weight;
        widths.emplace_back(interval.width, each->weight);
    }
    if (widths.empty()) return;
    to.inside = inside / weights;
    to.width = weighted_quantile(std::move(widths), 0.5);
}

ServingSummary summary_of(const std::string& name, const Rows& rows) {
    Rows light = rows;
    std::erase_if(light, [](const ServingComparison* each) { return each->overloaded; });
    ServingSummary summary{name, errors_of(rows, &ServingComparison::tpot_error),
                           errors_of(light, &ServingComparison::ttft_error),
                           errors_of(light, &ServingComparison::request_error)};
    add_bars(rows, &ServingComparison::tpot_error, &ServingComparison::tpot_bars, summary.tpot);
    add_bars(light, &ServingComparison::ttft_error, &ServingComparison::ttft_bars, summary.ttft);
    return summary;
}

}  // namespace

double ServingComparison::request_error() const {
    const auto tokens = static_cast<double>(row.output - 1);
    return (ttft + tokens * tpot) / (row.ttft.value_or(0.0) + tokens * row.tpot.value_or(0.0)) - 1.0;
}

std::vector<ServingComparison> validate_serving(const std::vector<ServingRow>& rows,
                                                const ServingFacts& facts, const config::Library& library,
                                                const study::FidelitySpec& fidelity) {
    Machines machines{library, fidelity};
    const ErrorTable errors = read_errors(library);
    std::vector<ServingComparison> comparisons(rows.size());
    for (const std::size_t i : by_deployment(rows))
        comparisons[i] = compare_deployment(rows[i], facts, library, errors, machines);
    set_weights(comparisons);
    return comparisons;
}

std::vector<ServingSummary> summarize(const std::vector<ServingComparison>& comparisons) {
    std::map<std::string, Rows> groups;
    Rows all;
    for (const ServingComparison& each : comparisons) {
        if (!each.is_compared()) continue;
        const ServingRow& row = each.row;
        groups[row.model + " " + row.gpu + " " + row.framework + (row.pools_apart ? " (pools)" : "")]
            .push_back(&each);
        groups[row.pools_apart ? "two pools" : "one pool"].push_back(&each);
        all.push_back(&each);
    }
    std::vector<ServingSummary> summaries;
    summaries.reserve(groups.size() + 1);
    for (const auto& [name, rows] : groups) summaries.push_back(summary_of(name, rows));
    summaries.push_back(summary_of("all", all));
    return summaries;
}

}  // namespace dse::eval
