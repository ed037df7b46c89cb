#include <algorithm>
#include <array>
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
#include "app/start/model_facts.hpp"
#include "app/sweep_options.hpp"
#include "dse/base/error.hpp"
#include "dse/config/node.hpp"
#include "dse/config/quantity.hpp"
#include "dse/eval/advice/own_step.hpp"
#include "dse/eval/advice/staircase.hpp"
#include "dse/eval/error_table.hpp"
#include "dse/study/draft.hpp"
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
    if (!(*seconds > 0.0)) throw InputError("--measured: must be above 0");
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
        const bool is_open = axis.continuum || axis.values.count() > 1;
        if (!is_open || dot == std::string::npos) continue;
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

/// A run as it is, and all layouts that it may have instead.
struct Layouts {
    study::Sweep own;
    study::Sweep all;
};

/// Axes of what is trained: other values are not faster layouts of the same training.
std::vector<std::string> axes_of_training(const study::Sweep& sweep) {
    constexpr std::array<std::string_view, 4> fields{"workload.model", "workload.sequence",
                                                     "workload.adapter.rank", "workload.adapter.targets"};
    std::vector<std::string> names;
    for (const space::Axis& axis : sweep.space->axes()) {
        const bool is_open = axis.continuum || axis.values.count() > 1;
        if (is_open && std::ranges::find(fields, axis.info.path) != fields.end()) names.push_back(axis.name);
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

Layouts load_chosen(const SweepOptions& options, const config::Node& root) {
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
    if (!varies(all))
        throw InputError(
            fmt::format("{}: each of its axes has only one value (list the alternatives, or write the values "
                        "under workload, without axes)",
                        options.file));
    return {std::move(own), std::move(all)};
}

/// For a file without axes, which is not a sweep yet: a sweep that changes nothing, then one with the usual
/// axes.
Layouts load_usual(const SweepOptions& options, const config::Node& root) {
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

Layouts load_layouts(const SweepOptions& options) {
    config::Diagnostics diagnostics;
    const config::Node root = config::load_yaml(options.file, diagnostics);
    diagnostics.throw_if_any();
    require_steps(root, options.file);
    const bool has_axes = root.is_map() && root.find("axes") != nullptr;
    return has_axes ? load_chosen(options, root) : load_usual(options, root);
}

/// The same point in the space of all layouts, matched by names of axes and values as text. An axis that the
/// file of the run does not have is one of usual_axes(), whose first value is that of the run.
space::Point own_point(const study::Sweep& all, const study::Sweep& own, const space::Point& point) {
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

void require_steps(const study::Sweep& sweep) {
    if (sweep.base.workload.mode == graph::Mode::serving) refuse_requests(sweep.file);
    if (!sweep.space->is_discrete() || !sweep.space->grid_size().exact)
        throw InputError(fmt::format("{}: dse advise needs axes with lists of values", sweep.file));
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
            fmt::format("{}: the step of the run cannot be predicted: {}", all.file, error.what()));
    }
    if (advice.step.share_of_peak > 1.0)
        throw InputError(fmt::format(
            "--measured: in {}, the operations of the step would run at {:.3g} times the peak of "
            "its devices (check the unit, and that {} describes this run: model, batch, sequence, "
            "devices)",
            options.measured, advice.step.share_of_peak, all.file));
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
