#include "study/sweep_notes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/error.hpp"
#include "dse/config/field_index.hpp"
#include "dse/config/quantity.hpp"
#include "dse/hardware/device/rate_note.hpp"
#include "dse/space/registry.hpp"
#include "study/axis_range.hpp"

namespace dse::study {
namespace {

/// The devices that points can have, each by its note: named by axes, or of all points.
class RateNotes {
  public:
    explicit RateNotes(Draft& draft) : draft_{draft} {}

    void run() {
        bool is_varied = false;
        for (const space::Axis& axis : draft_.sweep.space->axes()) {
            if (axis.info.path != "system.cluster" && axis.info.path != "system.cluster.device") continue;
            is_varied = true;
            add_devices_of(axis);
        }
        if (!is_varied)
            add(draft_.sweep.base, place_of(draft_.root, "system.cluster"), "system.cluster.device");
    }

  private:
    void add_devices_of(const space::Axis& axis) {
        Scenario scenario = draft_.sweep.base;
        config::FieldIndex fields(draft_.sweep.library);
        fields.add("", scenario);
        const config::FieldRef* field = fields.find(axis.info.path);
        for (const std::string& label : axis.labels) {
            try {
                field->assign_text(label);
                add(scenario, axis.where, "axes." + axis.name);
            } catch (const InputError&) {
                // What is wrong with a file is told where its content is noted (facts_of).
            }
        }
    }

    void add(const Scenario& scenario, const config::Location& where, const std::string& path) {
        const hardware::DeviceSpec& device = scenario.system.cluster.device;
        tell(hardware::rate_note(device), where, path);
        if (is_inference(scenario.workload.mode)) tell(hardware::latency_note(device), where, path);
    }

    void tell(const std::string& note, const config::Location& where, const std::string& path) {
        if (!note.empty() && told_.insert(note).second) draft_.diagnostics.warning(where, path, note);
    }

    Draft& draft_;
    std::set<std::string> told_;
};

bool compares_costs(const Sweep& sweep) {
    return std::ranges::any_of(sweep.objectives, [](const metrics::Objective& objective) {
        return objective.metric == "cost" || objective.metric.starts_with("usd_per_mtoken");
    });
}

/// Whether the cluster has prices, or the sweep says that it has none: `prices: {nic: 0 USD/h}`.
bool is_priced(const Sweep& sweep) {
    const hardware::NetworkPricesSpec& prices = sweep.base.system.cluster.network.prices;
    return prices.scale_out_rate > BytesPerSecond{} || prices.scale_up_rate > BytesPerSecond{} ||
           std::ranges::any_of(sweep.stated, [](const std::string& path) {
               return path.starts_with("system.cluster.network.prices.");
           });
}

void add_price_note(Draft& draft) {
    const Sweep& sweep = draft.sweep;
    if (!compares_costs(sweep) || is_priced(sweep)) return;
    for (const space::Axis& axis : sweep.space->axes()) {
        const std::string& path = axis.info.path;
        if (path.find(".network.") == std::string::npos || !path.ends_with("bandwidth")) continue;
        draft.diagnostics.warning(axis.where, "axes." + axis.name,
                                  "a faster network costs nothing here: system.cluster.network.prices is not "
                                  "stated (docs/energy.md; 'nic: 0 USD/h' says that this is meant)");
        return;
    }
}

/// The lowest of a derived value at up to 4,096 points of the space; nothing if none was found.
std::optional<double> lowest_derived(const space::Space& space, std::size_t index) {
    constexpr std::uint64_t most = 4096;
    if (!space.is_discrete() || !space.grid_size().exact) return std::nullopt;
    const std::uint64_t size = *space.grid_size().exact;
    const std::uint64_t step = std::max<std::uint64_t>(1, size / most);
    std::optional<double> least;
    space::Point point;
    for (std::uint64_t i = 0; i < std::min(size, most); ++i) {
        if (!space.point(i * step, point)) continue;
        const double value = point.values[space.axes().size() + index];
        least = std::min(least.value_or(value), value);
    }
    return least;
}

/// Axes over a peak, or peaks that are derived, beside a sustained rate that stays as it is: products take
/// their time from that rate, so that the axis would say that more FLOP/s gain nothing. Below that rate, they
/// would exceed the peak, which files of devices must not say either.
void add_peak_notes(Draft& draft) {
    const Sweep& sweep = draft.sweep;
    constexpr std::string_view prefix = "system.cluster.device.peak.";
    hardware::PrecisionRates sustained = sweep.base.system.cluster.device.matmul.sustained;
    config::FieldIndex rates;
    rates.add("", sustained);
    const bool has_devices = is_varied(sweep, "system.cluster") || is_varied(sweep, "system.cluster.device");
    /// \param least  the lowest peak, and how to show it; nothing if it is not known
    const auto note = [&](const config::FieldInfo& info, const config::Location& where,
                          const std::string& place, const std::string& name,
                          const std::optional<std::pair<double, std::string>>& least) {
        const std::string format = info.path.substr(prefix.size());
        const config::FieldRef* rate = rates.find(format);
        if (rate == nullptr || rate->read() <= 0.0 ||
            is_varied(sweep, "system.cluster.device.matmul.sustained." + format))
            return;
        const std::string remedy =
            fmt::format("derive: {{cluster.device.matmul.sustained.{}: 0.7 * {}}}", format, name);
        if (!has_devices && least && least->first < rate->read()) {
            draft.diagnostics.error(
                where, place,
                fmt::format(
                    "{} is below matmul.sustained.{}, {:.4g} TFLOP/s, which decides how long products "
                    "take and does not follow it ({})",
                    least->second, format, rate->read() / 1e12, remedy));
            return;
        }
        draft.diagnostics.warning(
            where, place,
            fmt::format(
                "does not change how long products take: that is up to matmul.sustained.{}, which does "
                "not follow it ({})",
                format, remedy));
    };
    for (const space::Axis& axis : sweep.space->axes()) {
        if (!axis.info.path.starts_with(prefix)) continue;
        const double least = range_of(axis).least;
        note(axis.info, axis.where, "axes." + axis.name, axis.name, std::pair{least, axis.format(least)});
    }
    const auto& derived = sweep.space->derived();
    for (std::size_t i = 0; i < derived.size(); ++i) {
        if (!derived[i].info.path.starts_with(prefix)) continue;
        std::optional<std::pair<double, std::string>> least;
        if (const auto value = lowest_derived(*sweep.space, i))
            least.emplace(*value, config::format_quantity(*value, derived[i].info.dimension));
        note(derived[i].info, derived[i].where, "derive." + derived[i].name, derived[i].name, least);
    }
}

/// Axes over what a device has, where costs are compared and all devices cost the same.
void add_device_price_note(Draft& draft) {
    const Sweep& sweep = draft.sweep;
    constexpr const char* price = "system.cluster.device.price";
    if (!compares_costs(sweep) || is_varied(sweep, price)) return;
    for (const space::Axis& axis : sweep.space->axes()) {
        const std::string_view path = axis.info.path;
        if (!path.starts_with("system.cluster.device.peak.") &&
            !path.starts_with("system.cluster.device.memory.") &&
            !path.starts_with("system.cluster.device.matmul."))
            continue;
        draft.diagnostics.warning(
            axis.where, "axes." + axis.name,
            "a device with more of it costs the same here: cluster.device.price does not "
            "follow it (derive it from the axis: hardware/README.md)");
        return;
    }
}

/// Adapters that are described, but have no rank anywhere: all parameters are trained.
void add_adapter_note(Draft& draft) {
    const graph::Adapter& adapter = draft.sweep.base.workload.adapter;
    const bool is_described = !adapter.targets.empty() || !adapter.trained.empty() || adapter.dropout ||
                              adapter.frozen_weights != graph::FrozenWeights::compute;
    if (adapter.on() || !is_described || is_varied(draft.sweep, "workload.adapter.rank")) return;
    draft.diagnostics.warning(place_of(draft.root, "workload.adapter"), "workload.adapter",
                              "has no effect, and all parameters are trained: no rank is stated (rank: 16)");
}

/// Degrees of tensor parallelism that do not divide the rank of the adapters, which lies split beside
/// products with split results.
void add_rank_note(Draft& draft) {
    const Sweep& sweep = draft.sweep;
    const graph::Adapter& adapter = sweep.base.workload.adapter;
    // Targets may all be products that sum over a split dimension, whose results are whole.
    if (!adapter.on() || !adapter.targets.empty() || is_varied(sweep, "workload.adapter.rank")) return;
    const auto divides = [&](double degree) {
        return std::fmod(static_cast<double>(adapter.rank), degree) == 0.0;
    };
    if (const space::Axis* axis = axis_of(sweep, "workload.tp"); axis != nullptr && !axis->continuum) {
        std::vector<std::string> others;
        for (std::uint64_t i = 0; i < axis->values.count(); ++i) {
            if (!divides(axis->values[i])) others.push_back(axis->format(axis->values[i]));
        }
        if (!others.empty())
            draft.diagnostics.warning(
                axis->where, "axes." + axis->name,
                fmt::format("{} does not divide adapter.rank {}, as products with split results need",
                            fmt::join(others, ", "), adapter.rank));
        return;
    }
    const std::int64_t tp = sweep.base.workload.layout.tp;
    if (!is_varied(sweep, "workload.tp") && !divides(static_cast<double>(tp)))
        draft.diagnostics.warning(
            place_of(draft.root, "workload.adapter"), "workload.adapter.rank",
            fmt::format("{} is not divisible by tp {}, as products with split results need", adapter.rank,
                        tp));
}

/// Warns of fields that are stated or varied where no point has what reads them.
void warn_of_unread(Draft& draft, std::initializer_list<const char*> paths, const std::string& reason) {
    for (const char* path : paths)
        if (is_stated(draft.sweep, path) || is_varied(draft.sweep, path))
            warn_of_values(draft, path, "has no effect" + reason);
}

/// Fields of the network that only the model `calibrated` looks at, where no point has it.
void add_calibrated_note(Draft& draft) {
    const Sweep& sweep = draft.sweep;
    if (sweep.base.fidelity.network == "calibrated" || is_varied(sweep, "fidelity.network")) return;
    warn_of_unread(
        draft, {"system.cluster.network.nccl.call_time", "system.cluster.network.nccl.short_all_gather"},
        fmt::format(" with network {}: only calibrated looks at it (fidelity: {{network: calibrated}})",
                    sweep.base.fidelity.network));
}

/// Rows up to which experts take narrow tiles, where no tile is stated.
void add_expert_note(Draft& draft) {
    const Sweep& sweep = draft.sweep;
    constexpr const char* tile = "workload.expert_tile";
    if (sweep.base.workload.stack.expert_tile > 1 || is_varied(sweep, tile) ||
        is_varied(sweep, "workload.stack"))
        return;
    if (sweep.base.workload.stack.few_expert_rows == 0 && !is_varied(sweep, "workload.few_expert_rows"))
        return;
    draft.diagnostics.warning(
        place_of(draft.root, "workload.few_expert_rows"), "workload.few_expert_rows",
        "has no effect: no tile is stated of which experts reserve one (expert_tile: 64)");
}

/// How tiles of experts are chosen and read, where weights are read once.
void add_tile_note(Draft& draft) {
    const Sweep& sweep = draft.sweep;
    if (sweep.base.workload.stack.least_expert_tile > 0 || is_varied(sweep, "workload.least_expert_tile") ||
        is_varied(sweep, "workload.stack"))
        return;
    warn_of_unread(draft, {"workload.expert_tile_margin", "workload.tile_reading"},
                   ": experts' weights are read once, not with each tile (least_expert_tile: 16)");
}

/// `launch_factor`, where no stack and no `cuda_graphs: false` makes hosts launch the kernels of inference.
/// In mode serving, they launch those of long prompts.
void add_launch_note(Draft& draft) {
    const Sweep& sweep = draft.sweep;
    const graph::WorkloadSpec& workload = sweep.base.workload;
    const bool steps = workload.mode == graph::Mode::prefill || workload.mode == graph::Mode::decode;
    if (!steps || is_laid_out(workload) || !workload.preset.name.empty()) return;
    for (const char* path : {"workload.mode", "workload.stack", "workload.cuda_graphs"})
        if (is_varied(sweep, path)) return;
    if (is_stated(sweep, "workload.cuda_graphs") && !workload.stack.cuda_graphs) return;
    warn_of_unread(draft, {"workload.launch_factor"},
                   ": without a stack, launches of inference cost no host time (cuda_graphs: false)");
}

/// `reduce_whole`, which only ZeRO-1 reads, where no point has it. Stage 0 adds whole gradients anyway.
void add_reduction_note(Draft& draft) {
    const Sweep& sweep = draft.sweep;
    const graph::SoftwareStack& stack = sweep.base.workload.stack;
    if (stack.zero <= 1 || is_varied(sweep, "workload.zero") || is_varied(sweep, "workload.stack")) return;
    warn_of_unread(draft, {"workload.reduce_whole"},
                   fmt::format(" with zero {}: only ZeRO-1 may add whole gradients", stack.zero));
}

/// Fields of the workload that only inference reads, or only training, where all points are of the other
/// kind. The help of a field says so first ("inference: …").
void add_mode_notes(Draft& draft) {
    const Sweep& sweep = draft.sweep;
    if (is_varied(sweep, "workload.mode")) return;
    const bool infers = is_inference(sweep.base.workload.mode);
    const std::string_view others = infers ? "training: " : "inference: ";
    Scenario scenario = sweep.base;
    config::FieldIndex fields(sweep.library);
    fields.add("", scenario);
    const auto note = [&](const std::string& path, const config::Location& where, const std::string& place) {
        const config::FieldRef* field = fields.find(path);
        if (field == nullptr || !path.starts_with("workload.") || !field->info().help.starts_with(others))
            return;
        draft.diagnostics.warning(
            where, place,
            fmt::format(
                "has no effect with mode {}: only {} reads it",
                choice_names(sweep.base.workload.mode)[static_cast<std::size_t>(sweep.base.workload.mode)],
                infers ? "training" : "inference"));
    };
    for (const space::Axis& axis : sweep.space->axes()) note(axis.info.path, axis.where, "axes." + axis.name);
    for (const std::string& path : sweep.stated)
        if (!is_varied(sweep, path)) note(path, place_of(draft.root, path), path);
}

/// Levels of the tokens after the first one alone, which requests meet however long they waited before it.
void add_level_note(Draft& draft) {
    const Sweep& sweep = draft.sweep;
    const graph::WorkloadSpec& workload = sweep.base.workload;
    if (workload.mode != graph::Mode::serving || !workload.traffic.classes.empty()) return;
    const auto has_level = [&](std::string_view latency) {
        const std::string prefix = fmt::format("workload.slo.{}", latency);
        const auto is_level = [&](const auto& each) { return each.info.path.starts_with(prefix); };
        return std::ranges::any_of(sweep.stated,
                                   [&](const std::string& path) { return path.starts_with(prefix); }) ||
               std::ranges::any_of(sweep.space->axes(), is_level) ||
               std::ranges::any_of(sweep.space->derived(), is_level);
    };
    if (has_level("ttft") || has_level("e2e") || !(has_level("tpot") || has_level("itl"))) return;
    draft.diagnostics.warning(place_of(draft.root, "workload.slo"), "workload.slo",
                              "no level limits how long a request waits for its first token: deployments "
                              "that make requests queue meet the others (ttft_p99: 2 s)");
}

/// A budget for more points than there are, with which all of them are drawn.
void add_budget_note(Draft& draft) {
    const space::Space& space = *draft.sweep.space;
    const space::SearchSpec& search = space.search();
    const auto& learning = space::learning_methods();
    if (search.budget <= 0 || !space.is_discrete() || !space.grid_size().exact ||
        std::ranges::find(learning, search.method) != learning.end() ||
        static_cast<std::uint64_t>(search.budget) <= *space.grid_size().exact)
        return;
    draft.diagnostics.warning(
        place_of(draft.root, "search.budget"), "search.budget",
        fmt::format(
            "the space has {} points at most, and all of them are drawn (method: grid needs no budget)",
            *space.grid_size().exact));
}

}  // namespace

void add_notes(Draft& draft) {
    const Sweep& sweep = draft.sweep;
    if (!sweep.has_scenario || !sweep.space || sweep.space->exec() || !draft.diagnostics.ok()) return;
    if (sweep.base.fidelity.compute == "roofline") {
        RateNotes{draft}.run();
        add_peak_notes(draft);
    }
    add_budget_note(draft);
    add_level_note(draft);
    add_price_note(draft);
    add_device_price_note(draft);
    add_calibrated_note(draft);
    add_adapter_note(draft);
    add_rank_note(draft);
    add_expert_note(draft);
    add_tile_note(draft);
    add_launch_note(draft);
    add_reduction_note(draft);
    add_mode_notes(draft);
}

}  // namespace dse::study
