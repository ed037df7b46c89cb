#include <algorithm>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command.hpp"
#include "app/human.hpp"
#include "app/json_output.hpp"
#include "app/output_width.hpp"
#include "app/proof_effort.hpp"
#include "app/speed_probe.hpp"
#include "app/sweep_options.hpp"
#include "app/text_table.hpp"
#include "dse/config/source_text.hpp"
#include "dse/space/registry.hpp"
#include "dse/space/space_count.hpp"

namespace dse::app {
namespace {

using space::SpaceCount;

struct PlanOptions {
    SweepOptions sweep;
    bool json{false};
};

/// Expected size and speed of a sweep.
struct Plan {
    SpaceCount count;
    double points{0};  ///< number that a run evaluates, at most
    ProofEffort proof;
    SpeedProbe speed;

    [[nodiscard]] double seconds() const { return points / speed.rate(); }
};

Plan make_plan(const study::Sweep& sweep) {
    Plan plan{space::count(*sweep.space), 0.0, {}, {}};
    plan.proof = proof_effort(sweep, plan.count);
    plan.points = plan.count.remaining.approximate;
    if (!space::walks_grid(sweep.space->search().method)) {
        const auto budget = static_cast<double>(sweep.space->search().budget);
        plan.points = sweep.space->is_discrete() ? std::min(plan.points, budget) : budget;
    }
    if (plan.points > 0.0 || plan.proof.layouts > 0.0) plan.speed = probe_speed(sweep);
    return plan;
}

std::string axis_values(const space::Axis& axis) {
    if (axis.continuum) {
        return fmt::format(
            "{} to {}{}", axis.format(axis.continuum->low), axis.format(axis.continuum->high),
            axis.continuum->scale == space::Continuum::Scale::logarithmic ? ", logarithmic" : "");
    }
    constexpr std::uint64_t most = 8;
    const std::uint64_t count = axis.values.count();
    std::string text;
    for (std::uint64_t i = 0; i < std::min(count, most); ++i) {
        text += (i == 0 ? "" : ", ") + axis.format(axis.values[i]);
    }
    if (count > most) text += fmt::format(", … {}", axis.format(axis.values[count - 1]));
    return text;
}

std::string count_text(const space::Cardinality& count) {
    return count.exact ? human_count(*count.exact) : human_count(count.approximate);
}

std::string axes_text(const space::Space& space) {
    TextTable table;
    table.add_column("axis", TextTable::Align::left);
    table.add_column("values");
    table.add_column("", TextTable::Align::left);
    for (const space::Axis& axis : space.axes()) {
        table.add_row(
            {axis.name, axis.continuum ? "any" : human_count(axis.values.count()), axis_values(axis)});
    }
    return table.text(2);
}

std::string steps_text(const SpaceCount& count) {
    TextTable table;
    table.add_column("points", TextTable::Align::left);
    table.add_column("");
    table.add_column("", TextTable::Align::left);
    table.add_row({"full grid", count_text(count.grid), ""});
    for (const space::StepCount& step : count.steps) {
        table.add_row(
            {config::excerpt(step.text), "-" + count_text(step.dropped), config::to_string(step.where)});
    }
    const bool exact = count.method == SpaceCount::Method::exact;
    table.add_row(
        {"in the space", count_text(count.remaining),
         exact ? "" : fmt::format("estimated from draws, ± {}", human_count(count.standard_error))});
    return table.text(2);
}

std::string methods_of(const space::SearchSpec& search) {
    return search.then.empty() ? search.method
                               : fmt::format("{}, {}", search.method, fmt::join(search.then, ", "));
}

/// Whether a search may evaluate far fewer points than its budget: one that proves spends its time on bounds,
/// and one that learns comes back to points that it knows. Its points also share more than those drawn to
/// measure the speed (llama3_405b_search takes a sixth of the time that is estimated).
bool may_end_early(const space::SearchSpec& search) {
    const auto& learning = space::learning_methods();
    return std::ranges::find(learning, search.method) != learning.end();
}

/// How far a search goes.
std::string extent_of(const space::SearchSpec& search, double points) {
    std::vector<std::string> ends;
    if (points > 0.0 || space::walks_grid(search.method))
        ends.push_back(fmt::format("{}{} point{} to evaluate", may_end_early(search) ? "at most " : "",
                                   human_count(points), points == 1.0 ? "" : "s"));
    if (search.time_budget.value() > 0.0)
        ends.push_back("until " + human_duration(search.time_budget.value()) + " have passed");
    if (search.cpu_budget.value() > 0.0)
        ends.push_back("until " + human_duration(search.cpu_budget.value()) + " of evaluation are used");
    if (ends.empty())
        ends.emplace_back(search.method == "proven" ? "as many points as the proof needs"
                                                    : "no point to evaluate");
    return fmt::format("{}", fmt::join(ends, ", "));
}

/// A bound takes about as long as a point: both simulate the layout once.
void print_proof_effort(const Plan& plan) {
    if (plan.proof.layouts > 0.0) {
        std::string text =
            fmt::format("bounds: at least {}, one for each layout", human_count(plan.proof.layouts));
        if (plan.speed.points > 0)
            text += fmt::format(", which take about {} on one core",
                                human_duration(plan.proof.layouts / plan.speed.rate()));
        std::cout << fitted_lines(text + "\n");
    }
    if (const std::string advice = advice_for_proof(plan.proof); !advice.empty())
        std::cout << fitted_lines("note: " + advice + "\n");
}

void print_plan(const study::Sweep& sweep, const Plan& plan) {
    const space::SearchSpec& search = sweep.space->search();
    std::cout << fmt::format("{}\n{}\n{}\n", sweep.name, axes_text(*sweep.space), steps_text(plan.count));
    std::cout << fitted_lines(
        fmt::format("search: {}, {}\n", methods_of(search), extent_of(search, plan.points)));
    print_proof_effort(plan);
    if (plan.speed.points == 0 || plan.points == 0.0) return;
    std::cout << fitted_lines(
        fmt::format("time: {}{} on one core ({}, measured on {} evaluation{} here, {} of them feasible)\n",
                    human_duration(plan.seconds()), may_end_early(search) ? " for all of them" : "",
                    human_rate(plan.speed.rate()), human_count(std::uint64_t{plan.speed.points}),
                    plan.speed.points == 1 ? "" : "s", human_share(plan.speed.feasible_share())));
}

Json cardinality_json(const space::Cardinality& count) {
    return count.exact ? Json(*count.exact) : Json(count.approximate);
}

const char* kind_name(space::Step::Kind kind) {
    using Kind = space::Step::Kind;
    if (kind == Kind::activate) return "when";
    return kind == Kind::require ? "require" : "derive";
}

Json plan_json(const study::Sweep& sweep, const Plan& plan) {
    Json json = json_object();
    json["name"] = sweep.name;
    json["axes"] = Json::array();
    for (const space::Axis& axis : sweep.space->axes()) {
        json["axes"].push_back(Json{{"name", axis.name},
                                    {"values", axis.continuum ? Json(nullptr) : Json(axis.values.count())},
                                    {"text", axis_values(axis)}});
    }
    json["grid"] = cardinality_json(plan.count.grid);
    json["rows"] = Json::array();
    for (const space::StepCount& step : plan.count.steps) {
        json["rows"].push_back(Json{{"kind", kind_name(step.kind)},
                                    {"text", step.text},
                                    {"dropped", cardinality_json(step.dropped)},
                                    {"where", config::to_string(step.where)}});
    }
    json["remaining"] = cardinality_json(plan.count.remaining);
    json["exact"] = plan.count.method == SpaceCount::Method::exact;
    json["standard_error"] = plan.count.standard_error;
    json["search"] = methods_of(sweep.space->search());
    json["points"] = plan.points;
    json["layouts_to_bound"] = plan.proof.layouts;
    json["points_per_second"] = plan.speed.points > 0 ? Json(plan.speed.rate()) : Json(nullptr);
    json["feasible_share"] = plan.speed.points > 0 ? Json(plan.speed.feasible_share()) : Json(nullptr);
    const bool has_time = plan.speed.points > 0 && plan.points > 0.0;
    json["seconds"] = has_time ? Json(plan.seconds()) : Json(nullptr);
    return json;
}

ExitCode plan(const PlanOptions& options) {
    const study::Sweep sweep = load(options.sweep);
    print_warnings(sweep);
    const Plan plan = make_plan(sweep);
    if (options.json) {
        print_json(plan_json(sweep, plan));
    } else {
        print_plan(sweep, plan);
    }
    return ExitCode::ok;
}

}  // namespace

Action declare_plan(CLI::App& app) {
    const auto options = std::make_shared<PlanOptions>();
    add_sweep_options(app, options->sweep);
    app.add_flag("--json", options->json, "print JSON");
    app.footer("Evaluates only a few points, to measure how long one takes.");
    return [options] { return plan(*options); };
}

}  // namespace dse::app
