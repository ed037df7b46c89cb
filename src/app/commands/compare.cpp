#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/human.hpp"
#include "app/point_report.hpp"
#include "app/sweep_options.hpp"

namespace dse::app {
namespace {

struct Options {
    SweepOptions sweep;
    std::vector<std::string> fidelities;
    bool json{false};
};

/// One predictor's answer.
struct Answer {
    eval::FidelitySpec fidelity;
    eval::Sweep sweep;
    std::string point;
    Json json;
    space::Record record;
};

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

Answer answer(const Options& options, const std::string& fidelity) {
    SweepOptions sweep_options = options.sweep;
    for (std::string& setting : settings_of(fidelity)) sweep_options.settings.push_back(std::move(setting));
    Answer result;
    result.sweep = load(sweep_options);
    const PointChoice choice = first_point(result.sweep);
    eval::Evaluator evaluator{result.sweep};
    const eval::Explanation explanation = evaluator.explain(choice.point);
    result.fidelity = explanation.scenario->fidelity;
    result.point = describe(*result.sweep.space, choice.point);
    result.json = point_json(*result.sweep.space, explanation);
    result.record = explanation.record;
    return result;
}

void print_answers(const std::vector<Answer>& answers) {
    std::cout << fmt::format("point: {}\n", answers.front().point);
    TextTable table;
    table.add_column("", TextTable::Align::left);
    for (const Answer& a : answers) {
        table.add_column(
            fmt::format("{} + {} + {}", a.fidelity.compute, a.fidelity.network, a.fidelity.engine));
    }
    const auto add = [&](std::string name, auto&& text) {
        std::vector<std::string> cells{std::move(name)};
        for (const Answer& a : answers) cells.push_back(text(a));
        table.add_row(std::move(cells));
    };
    add("status", [](const Answer& a) { return std::string{space::name(a.record.status)}; });
    for (const metrics::MetricField& field : metrics::metric_fields()) {
        add(std::string{field.name},
            [&](const Answer& a) { return human_value(a.record.metrics.*field.member, field.unit); });
    }
    add("time over the first's", [&](const Answer& a) {
        return fmt::format("{:.4f}",
                           a.record.metrics.iteration_time / answers.front().record.metrics.iteration_time);
    });
    std::cout << table.text(2);
    for (const Answer& a : answers) {
        if (!a.record.reason.empty())
            std::cout << fmt::format("{}: {}\n", a.fidelity.engine, a.record.reason);
    }
}

ExitCode compare(const Options& options) {
    std::vector<Answer> answers;
    for (const std::string& fidelity : options.fidelities) answers.push_back(answer(options, fidelity));
    if (!options.json) {
        print_answers(answers);
        return ExitCode::ok;
    }
    Json json = json_object();
    Json& rows = json["rows"] = Json::array();
    for (Answer& a : answers) {
        Json row{{"fidelity",
                  {{"compute", a.fidelity.compute},
                   {"network", a.fidelity.network},
                   {"engine", a.fidelity.engine}}}};
        a.json.erase("schema");
        row.update(a.json);
        rows.push_back(std::move(row));
    }
    print_json(json);
    return ExitCode::ok;
}

}  // namespace

Action declare_compare(CLI::App& app) {
    const auto options = std::make_shared<Options>();
    add_sweep_options(app, options->sweep);
    app.add_option(
           "--fidelity", options->fidelities,
           "a predictor, as in compute=roofline,engine=event; what it leaves out is the sweep's; repeat it")
        ->required()
        ->allow_extra_args(false)
        ->type_name("PART=MODEL,…");
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return compare(*options); };
}

}  // namespace dse::app
