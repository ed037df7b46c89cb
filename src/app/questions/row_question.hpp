#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/base/error.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/results/results_reader.hpp"
#include "dse/results/trust.hpp"

namespace CLI {
class App;
}

namespace dse::app {

/// Common options of all commands that read rows: which rows, their objectives, and the metrics to show.
struct RowQuestion {
    std::string file{};
    std::string objectives{};  ///< "iteration_time,mfu:maximize"; empty: the sweep's
    std::vector<std::string> where{};
    std::string by{};
    std::string metrics{};
    results::Trust trust{results::Trust::sealed};
};

/// Adds --objectives, --where, --by, --metrics and --unsealed. \param question  must outlive the parser
void add_row_question(CLI::App& app, RowQuestion& question);

/// \param text  "iteration_time,mfu:maximize"; empty: the sweep's objectives
std::vector<metrics::Objective> objectives_of(const std::string& text, const results::Table& columns);

/// The objectives of the question. \throws InputError for a metric that the results do not have
std::vector<metrics::Objective> objectives_of(const RowQuestion& question, const results::Table& columns);

/// Metrics to show in addition to the objectives.
std::vector<std::string> shown_metrics_of(const RowQuestion& question, const results::Table& columns);

/// Says on stderr that rows are missing: the sweep still runs or was stopped, or a part of a job array was
/// not merged. Searches, which leave out points by intention, only count as incomplete while they are
/// unfinished.
void warn_if_incomplete(results::ResultsReader& reader, const std::string& file);

/// Says that no row of so many answers the question.
/// \param columns  of the file: its sweep may have conditions of its own
ExitCode none_feasible(const RowQuestion& question, const results::Table& columns, std::uint64_t rows);

}  // namespace dse::app
