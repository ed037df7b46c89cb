#include "app/run_layouts.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/carried_sweep.hpp"
#include "app/start/model_facts.hpp"
#include "dse/base/error.hpp"
#include "dse/config/node.hpp"
#include "dse/study/draft.hpp"
#include "dse/study/setting.hpp"

namespace dse::app {
namespace {

/// Whether points differ in an axis.
bool is_open(const space::Axis& axis) {
    return axis.continuum || axis.values.count() > 1;
}

/// Values of an axis, starting with the user's own.
template <class Value>
std::string values_from(Value own, std::initializer_list<Value> others) {
    std::vector<Value> values{own};
    std::ranges::copy_if(others, std::back_inserter(values),
                         [&](const Value& other) { return other != own; });
    return fmt::format("{}", fmt::join(values, ", "));
}

/// Axes for a run that has none: its layout on the same devices, and its recomputation.
std::string usual_axes(const study::Sweep& sweep) {
    const graph::WorkloadSpec& workload = sweep.base.workload;
    const graph::ParallelLayout& layout = workload.layout;
    std::string text =
        fmt::format("\naxes:\n  tp: [{}]\n  pp: [{}]\n", values_from<std::int64_t>(layout.tp, {1, 2, 4, 8}),
                    values_from<std::int64_t>(layout.pp, {1, 2, 4, 8, 16}));
    if (graph::is_inference(workload.mode)) return text;
    // Without a name, a model that is written in place, or a program: no experts that are known of.
    if (!workload.model.empty() && model_facts(sweep.library, workload.model).experts > 0)
        text +=
            fmt::format("  ep: [{}]\n  etp: [{}]\n", values_from<std::int64_t>(layout.ep, {1, 2, 4, 8, 16}),
                        values_from<std::int64_t>(layout.etp, {0, 1}));
    const auto own =
        choice_names(workload.stack.recompute)[static_cast<std::size_t>(workload.stack.recompute)];
    return text + fmt::format("  microbatch: [{}]\n  zero: [{}]\n  recompute: [{}]\n",
                              values_from<std::int64_t>(layout.microbatch, {1, 2, 4, 8}),
                              values_from<std::int64_t>(workload.stack.zero, {0, 1, 2, 3}),
                              values_from<std::string_view>(own, {"none", "selective", "full"}));
}

/// Settings that do not fix an axis and hence apply to every layout.
std::vector<std::string> settings_of_all(const SweepOptions& options, const study::Sweep& sweep) {
    std::vector<std::string> settings;
    for (const std::string& text : options.settings) {
        const auto slot = sweep.space->slot(study::parse_setting(text).key);
        if (!slot || *slot >= sweep.space->axes().size()) settings.push_back(text);
    }
    return settings;
}

/// Axes whose value the run states beside them, under workload or system: that is the one it had.
std::vector<std::string> stated_values(const config::Node& root, const study::Sweep& sweep) {
    std::vector<std::string> settings;
    for (const space::Axis& axis : sweep.space->axes()) {
        const std::string& path = axis.info.path;
        const std::size_t dot = path.find('.');
        if (!is_open(axis) || dot == std::string::npos) continue;
        const config::Node* section = root.find(path.substr(0, dot));
        const config::Node* value =
            section != nullptr && section->is_map() ? section->find(path.substr(dot + 1)) : nullptr;
        if (value != nullptr && value->is_scalar())
            settings.push_back(fmt::format("{}={}", axis.name, value->text()));
    }
    return settings;
}

/// A stated dp is the run's, with its tp and pp: in other layouts it follows from theirs.
bool states_data_degree(const study::Sweep& sweep) {
    return sweep.base.workload.layout.dp != 0 && !study::is_varied(sweep, "workload.dp");
}

/// Settings that hold for every usual layout: of what usual_axes() varies, they are the run's.
std::vector<std::string> settings_of_layouts(const SweepOptions& options, const study::Sweep& own) {
    constexpr std::array<std::string_view, 8> varied{"tp",  "pp",         "dp",   "ep",
                                                     "etp", "microbatch", "zero", "recompute"};
    std::vector<std::string> settings;
    for (const std::string& text : options.settings) {
        std::string key = study::parse_setting(text).key;
        if (key.starts_with("workload.")) key.erase(0, key.find('.') + 1);
        if (std::ranges::find(varied, key) == varied.end()) settings.push_back(text);
    }
    if (states_data_degree(own)) settings.emplace_back("workload.dp=0");
    return settings;
}

/// Axes of what is trained: other values are not faster layouts of the same training.
std::vector<std::string> axes_of_training(const study::Sweep& sweep) {
    constexpr std::array<std::string_view, 4> fields{"workload.model", "workload.sequence",
                                                     "workload.adapter.rank", "workload.adapter.targets"};
    std::vector<std::string> names;
    for (const space::Axis& axis : sweep.space->axes()) {
        if (is_open(axis) && std::ranges::find(fields, axis.info.path) != fields.end())
            names.push_back(axis.name);
    }
    return names;
}

/// These axes with the run's values.
std::vector<std::string> kept_values(const std::vector<std::string>& names, const study::Sweep& own) {
    std::vector<std::string> settings;
    const space::Point point = study::first_point(own).point;
    for (const std::string& name : names) {
        const std::size_t slot = *own.space->slot(name);
        const std::string value = own.space->format(slot, point.values[slot]);
        settings.push_back(fmt::format("{}={}", name, value));
        std::cerr << fmt::format("dse: note: {} stays {}: another one would be another training\n", name,
                                 value);
    }
    return settings;
}

RunLayouts load_chosen(const SweepOptions& options, const config::Node& root) {
    study::Sweep own = load_simulated(options);
    std::vector<std::string> of_all = settings_of_all(options, own);
    const std::vector<std::string> trained = axes_of_training(own);
    if (const std::vector<std::string> stated = stated_values(root, own); !stated.empty()) {
        std::vector<std::string> settings = options.settings;
        settings.insert(settings.end(), stated.begin(), stated.end());
        own = load_simulated({options.file, settings});
    }
    const std::vector<std::string> kept = kept_values(trained, own);
    of_all.insert(of_all.end(), kept.begin(), kept.end());
    study::Sweep all = load_simulated({options.file, of_all});
    if (states_data_degree(all))
        std::cerr << fmt::format(
            "warning: {}: dp is {} in all layouts, since the file states it (without it, dp follows from the "
            "others)\n",
            options.file, all.base.workload.layout.dp);
    if (std::ranges::none_of(all.space->axes(), is_open))
        throw InputError(
            fmt::format("{}: each of its axes has only one value (list the alternatives, or write the values "
                        "under workload, without axes)",
                        options.file));
    return {std::move(own), std::move(all)};
}

/// For a file without axes, which is not a sweep yet: a sweep that changes nothing, then one with the usual
/// axes.
RunLayouts load_usual(const SweepOptions& options, const config::Node& root) {
    if (root.is_null())
        throw InputError(fmt::format("{}: is empty (a run has a workload and a system)", options.file));
    const config::Node* workload = root.is_map() ? root.find("workload") : nullptr;
    const config::Node* batch =
        workload != nullptr && workload->is_map() ? workload->find("global_batch") : nullptr;
    if (batch == nullptr || !batch->is_scalar())
        throw InputError(fmt::format("{}: workload.global_batch is missing", options.file));
    const std::string text = config::read_text(options.file);
    const auto load_with = [&](const std::string& axes, std::vector<std::string> settings) {
        const CarriedSweep carried{options.file, text + axes};
        study::Sweep sweep = load_simulated({carried.path(), std::move(settings)});
        sweep.file = options.file;
        return sweep;
    };
    study::Sweep own =
        load_with(fmt::format("\naxes: {{global_batch: [{}]}}\n", batch->text()), options.settings);
    study::Sweep all = load_with(usual_axes(own), settings_of_layouts(options, own));
    return {std::move(own), std::move(all)};
}

[[noreturn]] void refuse_requests(const std::string& file) {
    throw InputError(
        fmt::format("{}: dse advise covers steps (training, prefill, decode), not requests; for a measured "
                    "server see docs/serving.md, \"Your own measurement\"",
                    file));
}

/// Refuses mode serving before fields are missed that only steps have.
void require_steps(const config::Node& root, const std::string& file) {
    const config::Node* workload = root.is_map() ? root.find("workload") : nullptr;
    const config::Node* mode = workload != nullptr && workload->is_map() ? workload->find("mode") : nullptr;
    if (mode != nullptr && mode->is_scalar() && mode->text() == "serving") refuse_requests(file);
}

void require_grid_of_steps(const study::Sweep& sweep) {
    if (sweep.base.workload.mode == graph::Mode::serving) refuse_requests(sweep.file);
    if (!sweep.space->is_discrete() || !sweep.space->grid_size().exact)
        throw InputError(fmt::format("{}: dse advise needs axes with lists of values", sweep.file));
}

}  // namespace

RunLayouts load_run_layouts(const SweepOptions& options) {
    config::Diagnostics diagnostics;
    const config::Node root = config::load_yaml(options.file, diagnostics);
    diagnostics.throw_if_any();
    require_steps(root, options.file);
    const bool has_axes = root.is_map() && root.find("axes") != nullptr;
    RunLayouts layouts = has_axes ? load_chosen(options, root) : load_usual(options, root);
    require_grid_of_steps(layouts.all);
    return layouts;
}

space::Point own_point(const RunLayouts& layouts, const space::Point& point) {
    const auto& [own, all] = layouts;
    std::uint64_t id = 0;
    for (std::size_t a = 0; a < all.space->axes().size(); ++a) {
        const space::Axis& axis = all.space->axes()[a];
        const auto slot = own.space->slot(axis.name);
        if (!slot) continue;
        const double own_value = point.values[*slot];
        const std::string value = own.space->format(*slot, own_value);
        const auto is_same = [&](double other) {
            return axis.labels.empty() ? other == own_value : axis.format(other) == value;
        };
        std::uint64_t number = 0;
        while (number < axis.values.count() && !is_same(axis.values[number])) ++number;
        if (number == axis.values.count())
            throw InputError(
                fmt::format("{}: the run has {} = {}, which is not among the values of that axis", all.file,
                            axis.name, value));
        id += number * all.space->stride(a);
    }
    space::Point found;
    if (!all.space->point(id, found))
        throw InputError(fmt::format("{}: the layout of the run violates 'require'", all.file));
    found.id = id;
    return found;
}

}  // namespace dse::app
