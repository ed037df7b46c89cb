#include "app/start/training_sweep.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "app/start/sweep_parts.hpp"
#include "app/start/usual_stack.hpp"

namespace dse::app {
namespace {

/// Weights, gradients, master copy and two moments of Adam in mixed precision, plus 50 % for activations:
/// with half of that, no layout of a model of 10^12 parameters fits. Source: Rajbhandari et al., "ZeRO"
/// (2020), section 3.1
constexpr double bytes_in_training = 16.0 * 1.5;
constexpr std::int64_t tokens_in_training = 4096;

/// Samples of an iteration: divisible into microbatches of four on each of any number of devices.
std::int64_t batch_of(std::int64_t devices) {
    constexpr std::int64_t least = 64;
    const std::int64_t each = 4 * devices;
    return (least + each - 1) / each * each;
}

/// Line that states the software, or says how.
std::string software_of(const ModelFacts& model, const hardware::DeviceSpec& device) {
    const UsualStack* usual = usual_stack(model, device);
    if (usual == nullptr)
        return "  #stack: torchtitan_2025  # the software, one of `dse list stacks`; without it, an "
               "idealized "
               "framework\n";
    return fmt::format("  stack: {}  # the software, one of `dse list stacks`; also {}\n", usual->stack,
                       usual->others);
}

std::string training_axes(const ModelFacts& model, const SweepSizes& sizes) {
    std::string text{axes_heading};
    text += fmt::format("  tp: {}  # tensor parallelism: divides heads and widths\n", list_of(sizes.tp));
    text += fmt::format("  pp: {}  # pipeline stages\n", list_of(sizes.pp));
    if (model.experts > 0)
        text += fmt::format("  ep: {}  # expert parallelism: divides the experts\n", list_of(sizes.ep));
    text +=
        "  microbatch: [1, 2, 4]  # sequences per microbatch\n"
        "  zero: [1, 3]  # ZeRO stage: 1 shards optimizer states, 3 everything\n"
        "  recompute: [none, selective, full]  # activations that the backward pass recomputes\n";
    text += "derive:\n  dp: devices / (tp * pp)  # data parallelism takes the rest; must be an integer\n";
    if (model.experts > 0)
        text +=
            "  etp: 1  # an expert is not split\n  edp: devices / (etp * ep * pp)  # replicas of each "
            "expert\n";
    text +=
        "require:  # points that violate one of these are dropped\n"
        "  - global_batch % (dp * microbatch) == 0\n";
    if (sizes.pp.size() > 1)
        text +=
            "  - pp == 1 or global_batch / (dp * microbatch) >= pp  # enough microbatches to fill the "
            "pipeline\n";
    return text;
}

std::string axes_of(const FirstSweep& sweep, const ModelFacts& model, const SweepSizes& sizes) {
    if (model.sequences) return training_axes(model, sizes);
    std::string text{axes_heading};
    text += fmt::format(
        "  microbatch: [1, 2, 4, 8]  # samples per microbatch\n"
        "  zero: [0, 1]  # ZeRO stage: 1 shards optimizer states\n"
        "  devices: {}\n"
        "derive:\n"
        "  dp: devices  # every device has the whole model\n",
        sweep.devices > 0 ? list_of({sizes.devices}) : "[8, 16, 32]");
    if (model.tables) text += "  ep: devices  # but only its share of the tables\n";
    text +=
        "require:  # points that violate one of these are dropped\n"
        "  - global_batch % (dp * microbatch) == 0\n";
    return text;
}

}  // namespace

std::string training_sweep(const FirstSweep& sweep, const ModelFacts& model,
                           const hardware::ClusterSpec& cluster) {
    const SweepSizes sizes = sizes_of(model, cluster, bytes_in_training, 8, sweep.devices);
    std::string text = heading_of(sweep, model, cluster, sizes) + workload_of(sweep);
    text += fmt::format("  global_batch: {}  # samples per iteration\n", batch_of(sizes.devices));
    if (model.sequences)
        text += fmt::format("  sequence: {}  # tokens per sample{}\n{}", tokens_of(model, tokens_in_training),
                            model.longest > 0 ? fmt::format("; the model takes {}", model.longest) : "",
                            software_of(model, cluster.device));
    text += precision_of(cluster) + system_of(sweep, sizes) + axes_of(sweep, model, sizes);
    return text +
           "search: {method: grid}  # or random, sobol, nsga2, … with a budget: `dse list "
           "searches`\n"
           "fidelity: {compute: roofline, network: latency_bandwidth, engine: folded}  # which models "
           "to use\n"
           "objectives: {iteration_time: minimize, memory_peak: minimize}  # any of `dse list metrics`\n";
}

}  // namespace dse::app
