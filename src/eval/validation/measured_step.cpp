#include "eval/validation/measured_step.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "dse/base/lower_case.hpp"
#include "dse/config/source_text.hpp"
#include "eval/validation/metric_unit.hpp"
#include "eval/validation/row_names.hpp"
#include "eval/validation/stated.hpp"

namespace dse::eval {
namespace {

double bytes_of_unit(const std::string& unit) {
    if (unit.starts_with("GiB")) return 1073741824.0;
    if (unit.starts_with("MiB")) return 1048576.0;
    if (unit.starts_with("GB")) return 1e9;
    if (unit.starts_with("MB")) return 1e6;
    throw ModelError(
        fmt::format("a memory in the unit '{}' (GiB, GB, MiB or MB; column unit)", config::excerpt(unit)));
}

double measured_value(const TruthRow& row) {
    if (!row.value || !(*row.value > 0.0)) throw ModelError("value not stated");
    return *row.value;
}

/// Tokens or samples that an iteration processes, of which a row states a rate; 0 if it states another
/// metric.
double items_of(const TruthRow& row, const std::string& metric) {
    const auto states = [&](std::string_view items) {
        return contains(metric, items) &&
               (contains(metric, "_per_s") || contains(metric, "/s") || contains(metric, "throughput"));
    };
    if (states("tokens"))
        return stated(row.global_batch, "global batch", "gbs") * stated(row.sequence, "sequence", "seq");
    if (states("samples") || states("sequences")) return stated(row.global_batch, "global batch", "gbs");
    return 0.0;
}

/// Whether a rate is that of each device.
bool is_of_each(const TruthRow& row, const std::string& metric) {
    const std::string unit = lower_case(row.unit);
    const std::array devices{"gpu", "device", "chip"};
    return std::ranges::any_of(
        devices, [&](const char* device) { return contains(metric, device) || contains(unit, device); });
}

}  // namespace

MemoryMetric memory_metric(const std::string& metric) {
    using metrics::Metrics;
    // The former is an allocator's own figure, device_memory that of nvidia-smi (set_predicted()).
    if (metric == "peak_memory" || metric == "device_memory" || metric == "peak_memory_upper_bound")
        return [](const Metrics& m) { return m.memory_peak; };
    if (metric == "params+grads+optimizer_per_gpu")
        return [](const Metrics& m) { return m.memory_parameters + m.memory_gradients + m.memory_optimizer; };
    if (metric == "activation_per_gpu") return [](const Metrics& m) { return m.memory_activations; };
    return nullptr;
}

double measured_memory(const TruthRow& row) {
    return measured_value(row) * bytes_of_unit(row.unit);
}

double measured_time(const TruthRow& row, const TruthSource& source, const metrics::Metrics& predicted,
                     double peak) {
    if (row.iteration_time && *row.iteration_time > 0.0) return *row.iteration_time;
    const double value = measured_value(row);
    const std::string metric = lower_case(row.metric);
    if (contains(metric, "mfu")) {
        // A share of 1 or less; in percent, no step that trains has so few.
        const bool is_share = !is_percent(row.unit) && (value <= 1.0 || !row.unit.empty());
        const double share = is_share ? value : value / 100.0;
        if (share > 1.0) throw ModelError(fmt::format("mfu: {} % is more than the peak", 100.0 * share));
        return predicted.model_flop / (share * peak);
    }
    if (contains(metric, "tflop")) {
        const double rate = value * 1e12 * row.gpus.value_or(1);
        if (rate > peak)
            throw ModelError(fmt::format("{}: {} is more than the peak", config::excerpt(row.metric), value));
        const double flop = source.counts_recomputation ? predicted.executed_flop : predicted.model_flop;
        return flop / rate;
    }
    if (const double items = items_of(row, metric); items > 0.0)
        return items / (value * (is_of_each(row, metric) ? row.gpus.value_or(1) : 1.0));
    if (contains(metric, "iteration_time") || contains(metric, "step_time") || row.is_prefill()) {
        if (const std::optional<double> seconds = seconds_of(value, row.unit)) return *seconds;
        throw ModelError(fmt::format("{} in the unit '{}' (s or ms; column unit)",
                                     config::excerpt(row.metric), config::excerpt(row.unit)));
    }
    throw ModelError(
        fmt::format("no time follows from {} (metrics: iteration_time, step_time, tokens_per_s, "
                    "tokens_per_s_per_gpu, samples_per_s, mfu, model_tflops_per_gpu, peak_memory, "
                    "device_memory)",
                    config::excerpt(row.metric)));
}

}  // namespace dse::eval
