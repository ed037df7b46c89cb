#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <memory>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command.hpp"
#include "app/human.hpp"
#include "app/output_width.hpp"
#include "app/point_report.hpp"
#include "app/sweep_options.hpp"
#include "dse/metrics/rank_correlation.hpp"

namespace dse::app {
namespace {

struct CompareOptions {
    SweepOptions sweep;
    std::vector<std::string> fidelities;
    std::string over;  ///< an axis whose values are compared; empty: one point
    bool json{false};
};

/// One predictor's answer for one point.
struct Answer {
    study::FidelitySpec fidelity;
    study::Sweep sweep;
    study::PointChoice choice;
    std::string point;
    Json json;
    space::Record record;
    std::string note;  ///< why its times may differ from those of others for no reason of the machine
};

/// ASTRA-sim knows no direct links inside a group that is smaller than a machine of several dimensions, where
/// all other models use them (docs/networks.md).
std::string note_of(const study::Scenario& scenario) {
    const hardware::DimensionList& dimensions = scenario.system.cluster.network.dimensions;
    if (scenario.fidelity.network != "astra_sim" || dimensions.empty()) return "";
    const hardware::DimensionSpec& inside = dimensions[0];
    if (inside.kind != hardware::DimensionKind::fully_connected || scenario.system.devices <= inside.size ||
        inside.size < 2)
        return "";
    return fmt::format(
        "astra_sim runs each group of fewer than all {} devices as a ring, as ASTRA-sim does; the other "
        "models use the direct links of a domain, which are up to {} times as fast",
        scenario.system.devices, inside.size - 1);
}

/// "compute=roofline,engine=event" as settings.
std::vector<std::string> settings_of(const std::string& fidelity) {
    std::vector<std::string> settings;
    std::size_t begin = 0;
    while (begin <= fidelity.size()) {
        const std::size_t end = std::min(fidelity.find(',', begin), fidelity.size());
        if (fidelity.substr(begin, end - begin).find('=') == std::string::npos) {
            throw InputError(fmt::format(
                "--fidelity {}: write it as part=model,…, as in --fidelity compute=roofline,engine=event",
                fidelity));
        }
        settings.push_back("fidelity." + fidelity.substr(begin, end - begin));
        begin = end + 1;
    }
    return settings;
}

/// \param sweep_options  including the settings that select the point
/// \param fidelity       empty: the sweep's own
Answer answer(SweepOptions sweep_options, const std::string& fidelity) {
    if (!fidelity.empty()) {
        for (std::string& setting : settings_of(fidelity))
            sweep_options.settings.push_back(std::move(setting));
    }
    Answer result;
    result.sweep = load(sweep_options);
    result.choice = first_point(result.sweep);
    eval::Evaluator evaluator{result.sweep};
    const eval::Explanation explanation = evaluator.explain(result.choice.point);
    result.fidelity = explanation.scenario->fidelity;
    result.point = study::describe(*result.sweep.space, result.choice.point);
    result.json = point_json(*result.sweep.space, explanation);
    result.record = explanation.record;
    result.note = note_of(*explanation.scenario);
    return result;
}

/// Names of the predictors by the parts in which they differ, or by all three if they do not differ.
std::vector<std::string> names_of(const std::vector<Answer>& answers) {
    const std::array parts{&study::FidelitySpec::compute, &study::FidelitySpec::network,
                           &study::FidelitySpec::engine};
    const auto is_shared = [&](auto part) {
        return std::all_of(answers.begin(), answers.end(), [&](const Answer& a) {
            return a.fidelity.*part == answers.front().fidelity.*part;
        });
    };
    const bool all_shared = std::all_of(parts.begin(), parts.end(), is_shared);
    std::vector<std::string> names;
    for (const Answer& a : answers) {
        std::vector<std::string> told;
        for (const auto part : parts) {
            if (all_shared || !is_shared(part)) told.push_back(a.fidelity.*part);
        }
        names.push_back(fmt::format("{}", fmt::join(told, " + ")));
    }
    return names;
}

/// A heading and names with commas between them, wrapped.
std::string listed(const std::string& heading, std::vector<std::string> names) {
    constexpr std::size_t widest = 100;
    for (std::size_t i = 0; i + 1 < names.size(); ++i) names[i] += ',';
    return wrapped(heading, names, std::min(output_width(), widest));
}

void print_answers(const std::vector<Answer>& answers) {
    std::cout << fitted_lines(fmt::format("point: {}\n", answers.front().point));
    TextTable table;
    table.add_column("", TextTable::Align::left);
    const std::vector<std::string> names = names_of(answers);
    for (const std::string& name : names) table.add_column(name);
    const auto add = [&](std::string name, auto&& text) {
        std::vector<std::string> cells{std::move(name)};
        for (const Answer& a : answers) cells.push_back(text(a));
        table.add_row(std::move(cells));
    };
    add("status", [](const Answer& a) { return std::string{space::name(a.record.status)}; });
    std::vector<std::string> zeros;
    for (const metrics::MetricField& field : metrics::metric_fields()) {
        const auto value = [&](const Answer& a) { return a.record.metrics.*field.member; };
        const auto everywhere = [&](auto is) {
            return std::all_of(answers.begin(), answers.end(), [&](const Answer& a) { return is(value(a)); });
        };
        if (everywhere([](double v) { return std::isnan(v); })) continue;
        if (everywhere([](double v) { return v == 0.0; })) {
            zeros.emplace_back(field.name);
            continue;
        }
        add(std::string{field.name}, [&](const Answer& a) { return human_value(value(a), field.unit); });
    }
    add("relative to the first", [&](const Answer& a) {
        return fmt::format("{:.4f}",
                           a.record.metrics.iteration_time / answers.front().record.metrics.iteration_time);
    });
    std::cout << table.text(2);
    if (!zeros.empty()) std::cout << listed("zero under all of them:", zeros);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        if (!answers[i].record.reason.empty())
            std::cout << fmt::format("{}: {}\n", names[i], answers[i].record.reason);
    }
}

/// The answers of all predictors for one value of the axis.
struct Row {
    std::string value;
    std::vector<Answer> answers;
};

/// Agreement of two predictors' times over the values for which both have an answer.
double agreement(const std::vector<Row>& rows, std::size_t first, std::size_t second) {
    std::vector<double> a;
    std::vector<double> b;
    for (const Row& row : rows) {
        const double one = row.answers[first].record.metrics.iteration_time;
        const double other = row.answers[second].record.metrics.iteration_time;
        if (std::isnan(one) || std::isnan(other)) continue;
        a.push_back(one);
        b.push_back(other);
    }
    return metrics::rank_correlation(a, b);
}

void print_rows(const std::string& axis, const std::vector<Row>& rows) {
    const std::vector<std::string> names = names_of(rows.front().answers);
    TextTable table;
    table.add_column(axis, TextTable::Align::left);
    for (const std::string& name : names) table.add_column(name);
    for (const Row& row : rows) {
        std::vector<std::string> cells{row.value};
        for (const Answer& a : row.answers) {
            const double time = a.record.metrics.iteration_time;
            cells.push_back(std::isnan(time) ? std::string{space::name(a.record.status)}
                                             : human_seconds(time));
        }
        table.add_row(std::move(cells));
    }
    std::cout << fmt::format("iteration time by {}\n", axis) << table.text(2);
    for (std::size_t i = 1; i < names.size(); ++i) {
        const double correlation = agreement(rows, 0, i);
        if (!std::isnan(correlation))
            std::cout << fmt::format("rank correlation of {} with {}: {:.2f}\n", names[i], names[0],
                                     correlation);
    }
    for (const Row& row : rows) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (!row.answers[i].record.reason.empty())
                std::cout << fmt::format("{}, {}: {}\n", row.value, names[i], row.answers[i].record.reason);
        }
    }
}

/// Where the network models differ, one that has its reason in the model.
void print_notes(const std::vector<Row>& rows) {
    std::set<std::string> notes;
    for (const Row& row : rows) {
        const bool same_network = std::ranges::all_of(row.answers, [&](const Answer& a) {
            return a.fidelity.network == row.answers.front().fidelity.network;
        });
        if (same_network) continue;
        for (const Answer& a : row.answers) {
            if (!a.note.empty()) notes.insert(a.note);
        }
    }
    for (const std::string& note : notes) std::cout << fitted_lines(fmt::format("note: {}\n", note));
}

void add_rows(const CompareOptions& options, Row& row, Json& rows) {
    for (Answer& a : row.answers) {
        Json entry{{"fidelity",
                    {{"compute", a.fidelity.compute},
                     {"network", a.fidelity.network},
                     {"engine", a.fidelity.engine}}}};
        if (!options.over.empty()) entry[options.over] = row.value;
        a.json.erase("schema");
        entry.update(a.json);
        rows.push_back(std::move(entry));
    }
}

std::vector<Answer> answers_of(const CompareOptions& options, const SweepOptions& sweep) {
    std::vector<Answer> answers;
    for (const std::string& fidelity : options.fidelities) answers.push_back(answer(sweep, fidelity));
    if (options.fidelities.empty()) answers.push_back(answer(sweep, ""));
    return answers;
}

std::vector<Row> rows_of(const CompareOptions& options) {
    std::vector<Row> rows;
    if (options.over.empty()) {
        rows.push_back({"", answers_of(options, options.sweep)});
        return rows;
    }
    for (const std::string& value : values_of_axis(load_simulated(options.sweep), options.over)) {
        SweepOptions sweep = options.sweep;
        sweep.settings.push_back(options.over + "=" + value);
        rows.push_back({value, answers_of(options, sweep)});
    }
    return rows;
}

ExitCode compare(const CompareOptions& options) {
    if (options.fidelities.empty() && options.over.empty())
        throw InputError("nothing to compare: name predictors (--fidelity), or an axis (--over)");
    std::vector<Row> rows = rows_of(options);
    if (options.json) {
        Json json = json_object();
        Json& list = json["rows"] = Json::array();
        for (Row& row : rows) add_rows(options, row, list);
        print_json(json);
        return ExitCode::ok;
    }
    const Answer& first = rows.front().answers.front();
    print_open(first.sweep, first.choice);
    if (options.over.empty()) {
        print_answers(rows.front().answers);
    } else {
        print_rows(options.over, rows);
    }
    print_notes(rows);
    return ExitCode::ok;
}

}  // namespace

Action declare_compare(CLI::App& app) {
    const auto options = std::make_shared<CompareOptions>();
    add_sweep_options(app, options->sweep);
    app.add_option(
           "--fidelity", options->fidelities,
           "a predictor, as in compute=roofline,engine=event; omitted parts are the sweep's; may be repeated")
        ->allow_extra_args(false)
        ->type_name("PART=MODEL,…");
    app.add_option("--over", options->over, "compare at every value of this axis")->type_name("AXIS");
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return compare(*options); };
}

}  // namespace dse::app
