#include "app/start/sweep_parts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/human.hpp"
#include "dse/base/lower_case.hpp"
#include "dse/config/quantity.hpp"

namespace dse::app {
namespace {

/// Those of 1, 2, 4, … up to `most` that divide `size`.
std::vector<std::int64_t> divisors(std::int64_t size, std::int64_t most) {
    std::vector<std::int64_t> found;
    for (std::int64_t value = 1; value <= most; value *= 2) {
        if (size % value == 0) found.push_back(value);
    }
    return found;
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

std::string_view mode_of(const FirstSweep& sweep) {
    return sweep.goal == Goal::training ? "training" : "serving";
}

}  // namespace

std::int64_t power_of_two(double at_least) {
    return static_cast<std::int64_t>(
        std::bit_ceil(static_cast<std::uint64_t>(std::ceil(std::max(at_least, 1.0)))));
}

std::string list_of(const std::vector<std::int64_t>& values) {
    return fmt::format("[{}]", fmt::join(values, ", "));
}

SweepSizes sizes_of(const ModelFacts& model, const hardware::ClusterSpec& cluster, double bytes_each,
                    std::int64_t least, std::int64_t wanted) {
    const double needed = model.parameters * bytes_each / cluster.device.memory.capacity.value();
    SweepSizes sizes;
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
                       const SweepSizes& sizes) {
    return fmt::format(
        "# Which layout of {} ({} parameters) is best for {} on {} x {}?\n#\n"
        "# Written by `dse init`: it runs as it is; change any line. See docs/sweeps.md.\n"
        "#\n"
        "#     dse plan THIS.yaml       what it would do: axes, points, what each constraint drops\n"
        "#     dse THIS.yaml            run it\n"
        "#     dse pareto results/{}.h5\n"
        "name: {}\n",
        model.file.name, human_count(model.parameters), mode_of(sweep), sizes.devices, cluster.device.name,
        name_of(sweep), yaml_name(name_of(sweep)));
}

std::string workload_of(const FirstSweep& sweep) {
    return fmt::format(
        "workload:\n"
        "  model: {}  # one of `dse list models`, or a file of your own\n"
        "  mode: {}\n",
        yaml_name(sweep.model), mode_of(sweep));
}

std::string precision_of(const hardware::ClusterSpec& cluster) {
    if (cluster.device.peak.bf16.value() > 0.0) return "";
    return cluster.device.peak.fp16.value() > 0.0 ? "  precision: fp16  # the device has no bf16\n"
                                                  : "  precision: fp32  # the device has no 16-bit formats\n";
}

std::string system_of(const FirstSweep& sweep, const SweepSizes& sizes) {
    return fmt::format(
        "system:\n"
        "  cluster: {}  # one of `dse list clusters`, or a file of your own\n"
        "  devices: {}  # {}may be an axis\n",
        yaml_name(sweep.cluster), sizes.devices,
        sweep.devices > 0 ? ""
        : sizes.is_least  ? "more than the model needs, to leave a choice of layouts; "
                          : "as many as the model needs, to a power of two; ");
}

std::int64_t tokens_of(const ModelFacts& model, std::int64_t wanted) {
    if (model.longest == 0 || model.longest >= wanted) return wanted;
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(model.longest)));
}

}  // namespace dse::app
