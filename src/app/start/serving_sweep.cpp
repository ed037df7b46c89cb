#include "app/start/serving_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "app/start/sweep_parts.hpp"
#include "dse/base/error.hpp"
#include "dse/graph/traffic.hpp"

namespace dse::app {
namespace {

/// bf16 weights, plus 50 % for caches.
constexpr double bytes_in_serving = 2.0 * 1.5;

constexpr std::int64_t tokens_of_prompt = 1024;
constexpr std::int64_t tokens_of_answer = 128;

/// Devices that hold bf16 weights in three quarters of their memory: engines leave a tenth free, and caches
/// and buffers take some.
double devices_for_weights(const ModelFacts& model, const hardware::ClusterSpec& cluster) {
    constexpr double bytes_of_weights = 2.0;
    constexpr double share_for_weights = 0.75;
    return model.parameters * bytes_of_weights / (share_for_weights * cluster.device.memory.capacity.value());
}

/// Least number of pipeline stages, a power of two, with which the widest replicas hold the weights.
std::int64_t stages_for_weights(double needed, std::int64_t layers, std::int64_t tp) {
    return std::min(power_of_two(needed / static_cast<double>(tp)), layers);
}

/// The same, with replicas that use all of a number of devices, which may have few divisors; the most of
/// which the devices, or the layers, have enough if these are too few. \throws InputError if there are
/// enough, but no number of stages divides them
std::int64_t stages_for_all(double needed, std::int64_t layers, const SweepSizes& sizes,
                            std::int64_t widest) {
    const std::int64_t tp = sizes.tp.back();
    const std::int64_t deepest = std::min(sizes.devices / tp, layers);
    std::int64_t most = 1;
    for (std::int64_t stages = 1; stages <= deepest; ++stages) {
        if (sizes.devices / tp % stages != 0) continue;
        if (static_cast<double>(stages * tp) >= needed) return stages;
        most = stages;
    }
    const std::int64_t replica = widest * stages_for_weights(needed, layers, widest);
    if (sizes.devices < replica) return most;
    throw InputError(fmt::format(
        "no replicas use all of {} devices: with tp: {} a pipeline needs {:.0f} stages to hold the "
        "weights, or more, up to {} (--devices {})",
        sizes.devices, tp, std::ceil(needed / static_cast<double>(tp)), layers,
        sizes.devices / replica * replica));
}

/// \throws InputError if the model cannot be served
void require_served(const FirstSweep& sweep, const ModelFacts& model) {
    if (!model.sequences)
        throw InputError(fmt::format(
            "{} does not process sequences of tokens, so it cannot be served (use --goal training)",
            sweep.model));
    if (!model.no_serving.empty())
        throw InputError(fmt::format("{} (use --goal training)", model.no_serving));
}

/// Enough requests that queues grow on this many devices, of which each may run up to 256: of fewer, all
/// would arrive while the first are answered.
std::string traffic_text(const ModelFacts& model, std::int64_t devices) {
    // Answers belong to the sequence.
    const bool holds_both = model.longest == 0 || model.longest >= tokens_of_prompt + tokens_of_answer;
    const std::int64_t prompt =
        holds_both ? tokens_of_prompt : std::max<std::int64_t>(tokens_of(model, 2 * tokens_of_prompt) / 2, 1);
    return fmt::format(
        "  traffic:  # Poisson arrivals; prompts and answers of this many tokens\n"
        "    arrivals: poisson\n"
        "    rate: {} 1/s\n"
        "    prompt: {}\n"
        "    output: {}\n"
        "    requests: {}\n",
        std::max<std::int64_t>(devices / 4, 2), prompt, std::min(prompt, tokens_of_answer),
        std::clamp<std::int64_t>(2000 * devices, 5000, graph::most_run_requests));
}

/// \param stages  of the pipeline
std::string serving_axes(const ModelFacts& model, const SweepSizes& sizes, std::int64_t stages) {
    const bool spreads = model.experts > 0 && sizes.tp.back() > 1 && model.experts % sizes.tp.back() == 0;
    std::string text{axes_heading};
    text += fmt::format("  tp: {}  # tensor parallelism: divides heads and widths\n", list_of(sizes.tp));
    if (spreads)
        text +=
            fmt::format("  ep: {}  # expert parallelism: at most tp here\n", list_of({1, sizes.tp.back()}));
    if (stages > 1)
        text += fmt::format("  pp: [{}]  # pipeline stages: fewer do not hold the weights\n", stages);
    text +=
        "  serving.max_sequences: [16, 64, 256]  # running requests per replica\n"
        "  serving.token_budget: [2048, 8192]  # tokens per step\n"
        "derive:\n";
    text += fmt::format("  dp: devices / {}  # replicas\n", stages > 1 ? "(tp * pp)" : "tp");
    if (spreads) text += "  etp: tp / ep  # each expert is split over the rest\n";
    return text;
}

std::string serving_objectives(const hardware::ClusterSpec& cluster) {
    if (cluster.device.price > DollarsPerSecond{})
        return "# the price is that at the highest rate, latencies are those at the rate above\n"
               "objectives: {usd_per_mtoken_at_max_rate: minimize, ttft_p99: minimize, tpot_p99: minimize}  "
               "# any of `dse list metrics`\n";
    return fmt::format(
        "# latencies are those at the rate above; no price is known of {} (yours: device: {{base: …, "
        "price: 3 USD/h}})\n"
        "objectives: {{max_request_rate: maximize, ttft_p99: minimize, tpot_p99: minimize}}  # any of "
        "`dse list metrics`\n",
        cluster.device.name);
}

}  // namespace

std::string serving_sweep(const FirstSweep& sweep, const ModelFacts& model,
                          const hardware::ClusterSpec& cluster) {
    require_served(sweep, model);
    SweepSizes sizes = sizes_of(model, cluster, bytes_in_serving, 4, sweep.devices);
    const double needed = devices_for_weights(model, cluster);
    const std::int64_t layers = std::max<std::int64_t>(model.layers, 1);
    const std::int64_t widest = sizes.tp.back();
    std::int64_t stages = stages_for_weights(needed, layers, widest);
    if (sweep.devices > 0) {
        std::erase_if(sizes.tp, [&](std::int64_t tp) { return sizes.devices % tp != 0; });
        stages = stages_for_all(needed, layers, sizes, widest);
    } else {
        sizes.devices = std::max(sizes.devices, stages * widest);
    }
    std::string text = heading_of(sweep, model, cluster, sizes) + workload_of(sweep) +
                       "  stack: vllm_2025  # the engine: also vllm_2026, sglang_2025, trtllm_2025\n";
    text += traffic_text(model, sizes.devices);
    text +=
        "  slo:  # service levels; goodput counts the requests that meet them\n"
        "    ttft_p99: 2 s  # time to the first token\n"
        "    tpot_p99: 100 ms  # time of each further token\n"
        "    rate_within: 0.05  # finds the highest rate that meets the levels, to within 5 %\n";
    text += precision_of(cluster) + system_of(sweep, sizes) + serving_axes(model, sizes, stages);
    text += "search: {method: grid, seed: 1}  # seed of the requests, which are the same for all points\n";
    return text + serving_objectives(cluster);
}

}  // namespace dse::app
