#include <algorithm>
#include <initializer_list>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/advice_report.hpp"
#include "app/carried_sweep.hpp"
#include "app/command.hpp"
#include "app/json_output.hpp"
#include "app/sweep_options.hpp"
#include "dse/base/error.hpp"
#include "dse/config/node.hpp"
#include "dse/config/quantity.hpp"
#include "dse/eval/advice/own_step.hpp"
#include "dse/eval/advice/staircase.hpp"
#include "dse/eval/error_table.hpp"
#include "dse/study/setting.hpp"

namespace dse::app {
namespace {

struct AdviseOptions {
    SweepOptions sweep;
    std::string measured;
    bool json{false};
};

double measured_seconds(const std::string& text) {
    std::string error;
    const auto seconds = config::parse_quantity(text, config::dimension_of(Seconds{}), error);
    if (!seconds) throw InputError(fmt::format("--measured: {}", error));
    if (!(*seconds > 0.0)) throw InputError("--measured: a step takes longer than nothing");
    return *seconds;
}

bool varies(const study::Sweep& sweep) {
    return std::ranges::any_of(sweep.space->axes(), [](const space::Axis& axis) {
        return axis.continuum || axis.values.count() > 1;
    });
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

/// A run as it is, and all alternative layouts.
struct Layouts {
    study::Sweep own;
    study::Sweep all;
};

Layouts load_chosen(const SweepOptions& options) {
    study::Sweep own = load_simulated(options);
    study::Sweep all = load_simulated({options.file, settings_of_all(options, own)});
    if (!varies(all))
        throw InputError(fmt::format(
            "{}: its axes have one value each (give them what may be chosen, or write the values under "
            "workload, without axes)",
            options.file));
    return {std::move(own), std::move(all)};
}

/// For a file without axes, which is not a sweep yet: a sweep that changes nothing, then one with the usual
/// axes.
Layouts load_usual(const SweepOptions& options, const config::Node& root) {
    const config::Node* workload = root.is_map() ? root.find("workload") : nullptr;
    const config::Node* batch =
        workload != nullptr && workload->is_map() ? workload->find("global_batch") : nullptr;
    if (batch == nullptr || !batch->is_scalar())
        throw InputError(fmt::format("{}: workload.global_batch is missing", options.file));
    const std::string text = config::read_text(options.file);
    const auto load_with = [&](const std::string& axes) {
        const CarriedSweep sweep{options.file, text + axes};
        return load_simulated({sweep.path(), options.settings});
    };
    study::Sweep own = load_with(fmt::format("\naxes: {{global_batch: [{}]}}\n", batch->text()));
    study::Sweep all = load_with(usual_axes(own));
    return {std::move(own), std::move(all)};
}

Layouts load_layouts(const SweepOptions& options) {
    config::Diagnostics diagnostics;
    const config::Node root = config::load_yaml(options.file, diagnostics);
    diagnostics.throw_if_any();
    const bool has_axes = root.is_map() && root.find("axes") != nullptr;
    return has_axes ? load_chosen(options) : load_usual(options, root);
}

/// The same point in the space of all layouts, matched by names of axes and values as text. An axis that the
/// file of the run does not have is one of usual_axes(), whose first value is that of the run.
space::Point own_point(const study::Sweep& all, const study::Sweep& own, const space::Point& point) {
    std::uint64_t id = 0;
    for (std::size_t a = 0; a < all.space->axes().size(); ++a) {
        const space::Axis& axis = all.space->axes()[a];
        const auto slot = own.space->slot(axis.name);
        if (!slot) continue;
        const std::string value = own.space->format(*slot, point.values[*slot]);
        std::uint64_t number = 0;
        while (number < axis.values.count() && axis.format(axis.values[number]) != value) ++number;
        if (number == axis.values.count())
            throw InputError(
                fmt::format("--set: {}={} is no value of that axis in {}", axis.name, value, all.file));
        id += number * all.space->stride(a);
    }
    space::Point found;
    if (!all.space->point(id, found))
        throw InputError(fmt::format("{}: the run's own layout breaks its 'require'", all.file));
    found.id = id;
    return found;
}

void require_steps(const study::Sweep& sweep) {
    if (sweep.base.workload.mode == graph::Mode::serving)
        throw InputError(
            fmt::format("{}: advice is of steps (training, prefill, decode), not of requests", sweep.file));
    if (!sweep.space->is_discrete() || !sweep.space->grid_size().exact)
        throw InputError(fmt::format("{}: advice needs axes of listed values", sweep.file));
}

ExitCode advise(const AdviseOptions& options) {
    Advice advice;
    advice.measured = measured_seconds(options.measured);
    Layouts layouts = load_layouts(options.sweep);
    const study::Sweep& own = layouts.own;
    study::Sweep& all = layouts.all;
    print_warnings(own);
    require_steps(all);
    const study::PointChoice choice = study::first_point(own);
    print_open(own, choice);
    const space::Point point = own_point(all, own, choice.point);
    try {
        advice.step = eval::fit_own_step(all, point, advice.measured);
    } catch (const ModelError& error) {
        throw InputError(
            fmt::format("{}: the run's own step cannot be predicted: {}", all.file, error.what()));
    }
    advice.correlation = eval::read_errors(all.library).correlation;
    advice.staircase = eval::climb(all, point);
    if (options.json) {
        print_json(advice_json(advice, *all.space, point));
    } else {
        std::cout << advice_text(advice, *all.space, point);
    }
    return ExitCode::ok;
}

}  // namespace

Action declare_advise(CLI::App& app) {
    const auto options = std::make_shared<AdviseOptions>();
    add_sweep_options(app, options->sweep);
    app.add_option("--measured", options->measured, "measured time of one step, as in 12.4s")
        ->required()
        ->type_name("TIME");
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return advise(*options); };
}

}  // namespace dse::app
