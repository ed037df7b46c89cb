#include "app/start/first_sweep.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/human.hpp"
#include "app/start/model_facts.hpp"
#include "dse/base/error.hpp"
#include "dse/base/lower_case.hpp"
#include "dse/config/library_struct.hpp"
#include "dse/config/quantity.hpp"
#include "dse/hardware/cluster_spec.hpp"

namespace dse::app {
namespace {

/// Weights, gradients, master copy and two moments of Adam in mixed precision, plus 50 % for activations:
/// with half of that, no layout of a model of 10^12 parameters fits. Source: Rajbhandari et al., "ZeRO"
/// (2020), section 3.1
constexpr double bytes_in_training = 16.0 * 1.5;
/// bf16 weights, plus 50 % for caches.
constexpr double bytes_in_serving = 2.0 * 1.5;

std::int64_t power_of_two(double at_least) {
    return static_cast<std::int64_t>(
        std::bit_ceil(static_cast<std::uint64_t>(std::ceil(std::max(at_least, 1.0)))));
}

/// Those of 1, 2, 4, … up to `most` that divide `size`.
std::vector<std::int64_t> divisors(std::int64_t size, std::int64_t most) {
    std::vector<std::int64_t> found;
    for (std::int64_t value = 1; value <= most; value *= 2) {
        if (size % value == 0) found.push_back(value);
    }
    return found;
}

std::string list_of(const std::vector<std::int64_t>& values) {
    return fmt::format("[{}]", fmt::join(values, ", "));
}

/// Whether YAML takes a plain text for something else than a text: nothing, a flag, or a number.
bool is_no_text(const std::string& name) {
    constexpr std::array<std::string_view, 7> words{"null", "true", "false", "yes", "no", "on", "off"};
    std::string ignored;
    std::string_view rest;
    return std::ranges::find(words, lower_case(name)) != words.end() ||
           config::parse_number(name, rest, ignored).has_value() || name.starts_with('-') ||
           name.starts_with('.');
}

/// A name as YAML, in quotes where a plain one could be taken for something else.
std::string yaml_name(const std::string& name) {
    const auto is_plain = [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c == '/';
    };
    if (std::ranges::all_of(name, is_plain) && !is_no_text(name)) return name;
    std::string quoted = "\"";
    for (const char c : name) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + '"';
}

struct Sizes {
    std::int64_t devices{8};
    bool is_least{false};  ///< the model needs fewer
    std::vector<std::int64_t> tp;
    std::vector<std::int64_t> pp;
    std::vector<std::int64_t> ep;
};

/// \param wanted  number of devices; 0: as many as the model needs
Sizes sizes_of(const ModelFacts& model, const hardware::ClusterSpec& cluster, double bytes_each,
               std::int64_t least, std::int64_t wanted) {
    const double needed = model.parameters * bytes_each / cluster.device.memory.capacity.value();
    Sizes sizes;
    sizes.devices = wanted > 0 ? wanted : std::max(power_of_two(needed), least);
    sizes.is_least = power_of_two(needed) < least;
    const std::int64_t wide = std::min<std::int64_t>(sizes.devices, 8);
    sizes.tp = divisors(model.heads, wide);
    const std::int64_t deep = std::min(sizes.devices / sizes.tp.back(), model.layers);
    sizes.pp = divisors(8, std::clamp<std::int64_t>(deep, 1, 8));
    if (model.experts > 0) sizes.ep = divisors(model.experts, std::min<std::int64_t>(sizes.devices, 16));
    return sizes;
}

std::string heading_of(const FirstSweep& sweep, const ModelFacts& model, const hardware::ClusterSpec& cluster,
                       const Sizes& sizes) {
    return fmt::format(
        "# Which layout of {} ({} parameters) is best for {} on {} x {}?\n#\n"
        "# Written by `dse init`: it runs as it is; change any line. See docs/sweeps.md.\n"
        "#\n"
        "#     dse plan THIS.yaml       what it would do: axes, points, what each constraint drops\n"
        "#     dse THIS.yaml            run it\n"
        "#     dse pareto results/{}.h5\n"
        "name: {}\n",
        model.file.name, human_count(model.parameters), sweep.goal == Goal::training ? "training" : "serving",
        sizes.devices, cluster.device.name, name_of(sweep), yaml_name(name_of(sweep)));
}

std::string system_of(const FirstSweep& sweep, const Sizes& sizes) {
    return fmt::format(
        "system:\n"
        "  cluster: {}  # one of `dse list clusters`, or a file of your own\n"
        "  devices: {}  # {}may be an axis\n",
        yaml_name(sweep.cluster), sizes.devices,
        sweep.devices > 0 ? ""
        : sizes.is_least  ? "more than the model needs, to leave a choice of layouts; "
                          : "as many as the model needs, to a power of two; ");
}

std::string training_axes(const ModelFacts& model, const Sizes& sizes) {
    std::string text =
        "axes:  # every combination is a point; any field of `dse list fields` can "
        "be one\n";
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

/// Line that sets the precision; empty if the device supports bf16.
std::string precision_of(const hardware::ClusterSpec& cluster) {
    if (cluster.device.peak.bf16.value() > 0.0) return "";
    return cluster.device.peak.fp16.value() > 0.0 ? "  precision: fp16  # the device has no bf16\n"
                                                  : "  precision: fp32  # the device has no 16-bit formats\n";
}

std::string axes_of(const FirstSweep& sweep, const ModelFacts& model, const Sizes& sizes) {
    if (model.sequences) return training_axes(model, sizes);
    const std::string devices = sweep.devices > 0 ? list_of({sizes.devices}) : "[8, 16, 32]";
    return "axes:  # every combination is a point; any field of `dse list fields` "
           "can be one\n"
           "  microbatch: [1, 2, 4, 8]  # samples per microbatch\n"
           "  zero: [0, 1]  # ZeRO stage: 1 shards optimizer states\n"
           "  devices: " +
           devices +
           "\n"
           "derive:\n"
           "  dp: devices  # every device has the whole model\n" +
           (model.tables ? "  ep: devices  # but only its share of the tables\n" : "") +
           "require:  # points that violate one of these are dropped\n"
           "  - global_batch % (dp * microbatch) == 0\n";
}

constexpr std::int64_t tokens_in_training = 4096;
constexpr std::int64_t tokens_of_prompt = 1024;
constexpr std::int64_t tokens_of_answer = 128;

/// So many tokens, or a power of two that a sequence of the model may have.
std::int64_t tokens_of(const ModelFacts& model, std::int64_t wanted) {
    if (model.longest == 0 || model.longest >= wanted) return wanted;
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(model.longest)));
}

std::string training_text(const FirstSweep& sweep, const ModelFacts& model,
                          const hardware::ClusterSpec& cluster) {
    const Sizes sizes = sizes_of(model, cluster, bytes_in_training, 8, sweep.devices);
    std::string text = heading_of(sweep, model, cluster, sizes);
    text += fmt::format(
        "workload:\n"
        "  model: {}  # one of `dse list models`, or a file of your own\n"
        "  mode: training\n"
        "  global_batch: {}  # samples per iteration\n",
        yaml_name(sweep.model), std::max<std::int64_t>(4 * sizes.devices, 64));
    if (model.sequences)
        text += fmt::format(
            "  sequence: {}  # tokens per sample{}\n"
            "  #stack: torchtitan_2025  # the software, one of `dse list stacks`; without it, an idealized "
            "framework\n",
            tokens_of(model, tokens_in_training),
            model.longest > 0 ? fmt::format("; the model takes {}", model.longest) : "");
    text += precision_of(cluster) + system_of(sweep, sizes) + axes_of(sweep, model, sizes);
    return text +
           "search: {method: grid}  # or random, sobol, nsga2, … with a budget: `dse list "
           "searches`\n"
           "fidelity: {compute: roofline, network: latency_bandwidth, engine: folded}  # which models "
           "to use\n"
           "objectives: {iteration_time: minimize, memory_peak: minimize}  # any of `dse list metrics`\n";
}

/// Least number of pipeline stages, a power of two, with which the widest replicas hold bf16 weights in three
/// quarters of their memory: engines leave a tenth free, and caches and buffers take some.
std::int64_t stages_for_weights(const ModelFacts& model, const hardware::ClusterSpec& cluster,
                                std::int64_t tp) {
    constexpr double bytes_of_weights = 2.0;
    constexpr double share_for_weights = 0.75;
    const double stage = share_for_weights * cluster.device.memory.capacity.value() * static_cast<double>(tp);
    return std::min(power_of_two(model.parameters * bytes_of_weights / stage),
                    std::max<std::int64_t>(model.layers, 1));
}

std::string serving_text(const FirstSweep& sweep, const ModelFacts& model,
                         const hardware::ClusterSpec& cluster) {
    if (!model.sequences)
        throw InputError(fmt::format(
            "{} does not process sequences of tokens, so it cannot be served (use --goal training)",
            sweep.model));
    if (!model.no_serving.empty())
        throw InputError(fmt::format("{} (use --goal training)", model.no_serving));
    Sizes sizes = sizes_of(model, cluster, bytes_in_serving, 4, sweep.devices);
    std::int64_t stages = stages_for_weights(model, cluster, sizes.tp.back());
    if (sweep.devices > 0) {
        stages = std::clamp<std::int64_t>(sizes.devices / sizes.tp.back(), 1, stages);
    } else {
        sizes.devices = std::max(sizes.devices, stages * sizes.tp.back());
    }
    // Answers belong to the sequence.
    const bool holds_both = model.longest == 0 || model.longest >= tokens_of_prompt + tokens_of_answer;
    const std::int64_t prompt =
        holds_both ? tokens_of_prompt : std::max<std::int64_t>(tokens_of(model, 2 * tokens_of_prompt) / 2, 1);
    std::string text = heading_of(sweep, model, cluster, sizes);
    text += fmt::format(
        "workload:\n"
        "  model: {}  # one of `dse list models`, or a file of your own\n"
        "  mode: serving\n"
        "  stack: vllm_2025  # the engine: also vllm_2026, sglang_2025, trtllm_2025\n"
        "{}"
        "  traffic:  # Poisson arrivals; prompts and answers of this many tokens\n"
        "    arrivals: poisson\n"
        "    rate: 2 1/s\n"
        "    prompt: {}\n"
        "    output: {}\n"
        "    requests: 5000\n"
        "  slo:  # service levels; goodput counts the requests that meet them\n"
        "    ttft_p99: 2 s  # time to the first token\n"
        "    tpot_p99: 100 ms  # time of each further token\n"
        "    rate_within: 0.05  # finds the highest rate that meets the levels, to within 5 %\n",
        yaml_name(sweep.model),
        model.experts > 0 ? "  launch_factor: 2.4  # kernels that engines launch for each modelled one with "
                            "experts; 3.2 with "
                            "latent attention\n"
                          : "",
        prompt, std::min(prompt, tokens_of_answer));
    const bool spreads = model.experts > 0 && sizes.tp.back() > 1 && model.experts % sizes.tp.back() == 0;
    text += precision_of(cluster) + system_of(sweep, sizes);
    text += fmt::format(
        "axes:  # every combination is a point; any field of `dse list fields` can "
        "be one\n"
        "  tp: {}  # tensor parallelism: divides heads and widths\n"
        "{}{}"
        "  serving.max_sequences: [16, 64, 256]  # running requests per replica\n"
        "  serving.token_budget: [2048, 8192]  # tokens per step\n"
        "derive:\n"
        "  dp: devices / {}  # replicas\n"
        "{}",
        list_of(sizes.tp),
        spreads
            ? fmt::format("  ep: {}  # expert parallelism: at most tp here\n", list_of({1, sizes.tp.back()}))
            : "",
        stages > 1 ? fmt::format("  pp: [{}]  # pipeline stages: fewer do not hold the weights\n", stages)
                   : "",
        stages > 1 ? "(tp * pp)" : "tp",
        spreads ? "  etp: tp / ep  # each expert is split over the rest\n" : "");
    text += "search: {method: grid, seed: 1}  # seed of the requests, which are the same for all points\n";
    if (cluster.device.price > DollarsPerSecond{})
        return text +
               "# the price is that at the highest rate, latencies are those at the rate above\n"
               "objectives: {usd_per_mtoken_at_max_rate: minimize, ttft_p99: minimize, tpot_p99: minimize}  "
               "# "
               "any of "
               "`dse list metrics`\n";
    return text +
           fmt::format(
               "# latencies are those at the rate above; no price is known of {} (yours: device: {{base: …, "
               "price: "
               "3 USD/h}})\n"
               "objectives: {{max_request_rate: maximize, ttft_p99: minimize, tpot_p99: minimize}}  # any of "
               "`dse list metrics`\n",
               cluster.device.name);
}

/// Aligns the comments after values, on lines that are short enough.
std::string aligned(const std::string& text) {
    constexpr std::size_t column = 38;
    std::string result;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin) + 1;
        const std::string_view line = std::string_view{text}.substr(begin, end - begin);
        const std::size_t comment = line.find("  # ");
        const std::size_t gap = comment < column ? column - comment - 2 : 0;
        result += comment == std::string_view::npos
                      ? line
                      : fmt::format("{}{:{}}{}", line.substr(0, comment), "", gap, line.substr(comment));
        begin = end;
    }
    return result;
}

}  // namespace

std::string name_of(const FirstSweep& sweep) {
    if (!sweep.name.empty()) return sweep.name;
    const std::string model = std::filesystem::path{sweep.model}.filename().string();
    const std::string stem = model.ends_with(".yaml") ? model.substr(0, model.size() - 5) : model;
    return stem + (sweep.goal == Goal::training ? "_training" : "_serving");
}

std::string first_sweep_text(const FirstSweep& sweep, const config::Library& library) {
    const ModelFacts model = model_facts(library, sweep.model);
    const auto cluster = config::read_from_library<hardware::ClusterSpec>(library, "hardware/clusters",
                                                                          sweep.cluster, "--cluster");
    return aligned(sweep.goal == Goal::training ? training_text(sweep, model, cluster)
                                                : serving_text(sweep, model, cluster));
}

}  // namespace dse::app
