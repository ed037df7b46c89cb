#include "dse/eval/error_bars.hpp"

#include <cmath>
#include <numbers>

#include "dse/config/node.hpp"

namespace dse::eval {
namespace {

/// Tokens of the prompts that a deployment is sent; 0 where a trace or classes of requests have several
/// lengths.
std::int64_t prompt_of(const graph::WorkloadSpec& workload) {
    const graph::Traffic& traffic = workload.traffic;
    const bool has_one =
        workload.mode == graph::Mode::serving && traffic.trace.empty() && traffic.classes.empty();
    return has_one ? traffic.prompt : 0;
}

Tensors tensors_of(const graph::WorkloadSpec& workload) {
    return workload.layout.tp > 1 ? Tensors::split : Tensors::whole;
}

/// 90th percentile of the standard normal distribution, the upper end of its 80 % interval.
constexpr double ninetieth = 1.2815515655446004;

/// Rounded to 1e-6: more digits would not be meaningful.
double probability_below(double limit, double predicted, const ErrorInterval& interval) {
    constexpr double millionths = 1e6;
    const double distance = (std::log(limit / predicted) - interval.shift) / (interval.width / ninetieth);
    return std::round(0.5 * std::erfc(-distance / std::numbers::sqrt2) * millionths) / millionths;
}

/// A fit to measured products describes them by shape. A file made from a datasheet alone makes all products
/// equally fast, or as fast as typical ones.
ErrorTable::Products products_of(const hardware::DeviceSpec& device) {
    using enum ErrorTable::Products;
    const hardware::PrecisionRates& rates = device.matmul.sustained;
    const bool has_rate = rates.bf16 > FlopPerSecond{} || rates.fp16 > FlopPerSecond{};
    if (device.matmul.peak_share < 1.0 && !has_rate) return typical;
    const bool by_shape = device.matmul.area > 0.0 || device.matmul.depth > 0.0 || device.systolic.exists();
    return by_shape ? measured : unknown;
}

}  // namespace

ErrorBars::ErrorBars(const config::Library& library) : library_{library}, table_{read_errors(library)} {}

void ErrorBars::add(const study::Scenario& scenario, metrics::Metrics& metrics) {
    if (table_.empty()) return;
    if (!is_last(scenario)) remember(scenario, template_of(library_, scenario.workload));
    write(tensors_of(scenario.workload), metrics);
}

void ErrorBars::add(const study::Scenario& scenario, std::string_view model_template,
                    metrics::Metrics& metrics) {
    if (table_.empty()) return;
    remember(scenario, model_template);
    write(tensors_of(scenario.workload), metrics);
}

std::string ErrorBars::template_of(const config::Library& library, const graph::WorkloadSpec& workload) {
    if (is_laid_out(workload)) return "program";
    config::Diagnostics diagnostics;
    const auto model =
        library.load("workloads/models", config::Node::scalar(workload.model, "", "model"), diagnostics);
    const config::Node* name = model ? model->find("template") : nullptr;
    return name != nullptr ? name->text() : std::string{};
}

ErrorBars::Factors::Factors(const ErrorInterval& interval) {
    if (interval.width == 0.0) return;
    low = std::exp(interval.shift - interval.width);
    high = std::exp(interval.shift + interval.width);
}

void ErrorBars::Factors::write(double predicted, double& from, double& to) const {
    if (!known()) return;
    from = predicted * low;
    to = predicted * high;
}

void ErrorBars::write(Tensors tensors, metrics::Metrics& metrics) const {
    const Factors& time = tensors == Tensors::split ? split_ : time_;
    time.write(metrics.iteration_time, metrics.iteration_time_low, metrics.iteration_time_high);
    memory_.write(metrics.memory_peak, metrics.memory_peak_low, metrics.memory_peak_high);
    if (memory_.known()) {
        metrics.probability_fits = probability_below(metrics.memory_capacity, metrics.memory_peak, need_);
    }
    if (last_.mode == graph::Mode::serving) write_latencies(metrics);
}

void ErrorBars::write_latencies(metrics::Metrics& metrics) const {
    first_token_.write(metrics.ttft_mean, metrics.ttft_mean_low, metrics.ttft_mean_high);
    first_token_.write(metrics.ttft_p50, metrics.ttft_p50_low, metrics.ttft_p50_high);
    time_.write(metrics.tpot_mean, metrics.tpot_mean_low, metrics.tpot_mean_high);
    time_.write(metrics.tpot_p50, metrics.tpot_p50_low, metrics.tpot_p50_high);
}

bool ErrorBars::is_last(const study::Scenario& scenario) const {
    const graph::WorkloadSpec& workload = scenario.workload;
    return scenario.system.devices == last_.devices && workload.model == last_.model &&
           workload.ir == last_.program && workload.preset.name == last_.stack &&
           workload.mode == last_.mode && prompt_of(workload) == last_.prompt &&
           scenario.system.cluster.device.name == last_.device &&
           products_of(scenario.system.cluster.device) == last_.products;
}

void ErrorBars::remember(const study::Scenario& scenario, std::string_view model_template) {
    const graph::WorkloadSpec& workload = scenario.workload;
    last_ = {scenario.system.cluster.device.name,
             workload.preset.name,
             workload.model,
             workload.ir,
             scenario.system.devices,
             workload.mode,
             prompt_of(workload),
             products_of(scenario.system.cluster.device)};
    ErrorTable::Case which{last_.device, last_.stack, model_template, last_.devices, last_.mode};
    which.prompt = last_.prompt;
    which.products = last_.products;
    const ErrorTable::Intervals whole = table_.of(which);
    time_ = Factors{whole.time};
    need_ = sum(whole.memory, table_.of_fits);
    memory_ = Factors{whole.memory};
    first_token_ = last_.mode == graph::Mode::serving ? Factors{table_.of_first_token(which)} : Factors{};
    which.tensors = Tensors::split;
    split_ = Factors{table_.of(which).time};
}

}  // namespace dse::eval
