#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/command.hpp"
#include "app/point_lines.hpp"
#include "app/sweep_answers.hpp"
#include "app/sweep_options.hpp"
#include "dse/dist/stop_signal.hpp"

namespace dse::app {
namespace {

struct AnswerOptions {
    SweepOptions sweep;
    std::vector<std::string> metrics;
};

void lose(space::Record& record, space::Status status, const std::string& reason) {
    record.status = status;
    record.reason = reason;
}

/// Evaluates a point and handles errors like the workers of a campaign.
void answer_point(const space::Space& space, const explore::Evaluate& evaluate, const std::string& line,
                  space::Record& record) {
    try {
        const std::string outside = read_point(space, line, record.point);
        if (!outside.empty()) return lose(record, space::Status::outside_validity, outside);
        evaluate(record.point, {}, record);
    } catch (const ModelError& error) {
        lose(record, space::Status::outside_validity, error.what());
    } catch (const Stopped&) {
        throw;
    } catch (const std::exception& error) {
        lose(record, space::Status::failed, error.what());
    }
}

ExitCode answer(const AnswerOptions& options) {
    const auto sweep = std::make_shared<const study::Sweep>(load(options.sweep));
    print_warnings(*sweep);
    const AnswerColumns columns{row_schema(*sweep, 0), options.metrics};
    const explore::Evaluate evaluate = answers_of(sweep, sim::Asked::For::time);
    for (std::string line; std::getline(std::cin, line);) {
        space::Record record;
        record.status = space::Status::ok;
        answer_point(*sweep->space, evaluate, line, record);
        std::cout << columns.line(record) << std::endl;
    }
    return ExitCode::ok;
}

}  // namespace

Action declare_answer(CLI::App& app) {
    const auto options = std::make_shared<AnswerOptions>();
    add_sweep_options(app, options->sweep);
    app.add_option("--metrics", options->metrics,
                   "metrics to include in the answers; by default every metric with a value")
        ->type_name("A,B,…")
        ->delimiter(',');
    app.footer(
        "Lets an optimizer of your own drive dse: reads points from standard input, one per line, "
        "as\n{\"values\": {\"tp\": 8, …}} in SI units, and answers each with one line of JSON "
        "(docs/search.md).\nEnds when its input ends.");
    return [options] { return answer(*options); };
}

}  // namespace dse::app
