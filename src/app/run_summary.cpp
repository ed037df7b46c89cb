#include "app/run_summary.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/common_reasons.hpp"
#include "app/csv.hpp"
#include "app/human.hpp"
#include "app/result_columns.hpp"
#include "app/row_conditions.hpp"
#include "app/search_progress.hpp"
#include "app/text_table.hpp"
#include "dse/metrics/pareto.hpp"
#include "dse/results/idle_axes.hpp"

namespace dse::app {
namespace {

using space::Status;

constexpr std::array statuses{Status::ok, Status::out_of_memory, Status::outside_validity, Status::failed,
                              Status::timed_out};

std::uint64_t count_of(const results::Table& table, Status status) {
    return static_cast<std::uint64_t>(std::count(table.status.begin(), table.status.end(), status));
}

std::string status_lines(const results::Table& table) {
    TextTable text;
    text.add_column("", TextTable::Align::left);
    text.add_column("");
    text.add_column("");
    for (const Status status : statuses) {
        const std::uint64_t count = count_of(table, status);
        if (count == 0 && status != Status::ok) continue;
        text.add_row({std::string{space::name(status)}, human_count(count),
                      human_share(static_cast<double>(count) / static_cast<double>(table.rows()))});
    }
    return text.text(2);
}

/// Of rows without an answer.
std::string reason_lines(const results::Table& table) {
    constexpr std::size_t most = 3;
    std::string text;
    const auto is_open = [](Status status) { return status != Status::ok; };
    const std::vector<CommonReason> reasons = common_reasons(table, is_open);
    for (std::size_t i = 0; i < std::min(most, reasons.size()); ++i) {
        text += fmt::format("  {} times, as in: {}\n", human_count(reasons[i].rows), reasons[i].example);
    }
    return text;
}

std::vector<std::size_t> best_rows(const metrics::CostTable& costs, const std::vector<std::size_t>& front) {
    std::vector<std::size_t> best;
    for (std::size_t objective = 0; objective < costs.objectives(); ++objective) {
        best.push_back(*std::min_element(front.begin(), front.end(), [&](std::size_t a, std::size_t b) {
            return costs[a][objective] < costs[b][objective];
        }));
    }
    return best;
}

std::vector<std::string> names_of(const std::vector<metrics::Objective>& objectives) {
    std::vector<std::string> names;
    for (const metrics::Objective& objective : objectives) names.push_back(objective.metric);
    return names;
}

/// The front of a table in those of its objectives that have values.
struct Best {
    std::vector<metrics::Objective> objectives;
    std::vector<std::size_t> front;
    std::vector<std::size_t> rows;  ///< best in each objective
};

Best best_of(const results::Table& table) {
    Best best;
    best.objectives = answered(table, table.schema.sweep.objectives);
    if (best.objectives.empty()) return best;
    const metrics::CostTable costs = feasible_costs(table, best.objectives);
    best.front = metrics::pareto_front(costs);
    if (!best.front.empty()) best.rows = best_rows(costs, best.front);
    return best;
}

/// A row that is best in several objectives stands once.
std::string best_text(const results::Table& table, const Best& best) {
    std::vector<std::size_t> rows;
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < best.rows.size(); ++i) {
        const auto known = std::find(rows.begin(), rows.end(), best.rows[i]) - rows.begin();
        const std::string& objective = best.objectives[i].metric;
        if (static_cast<std::size_t>(known) < rows.size()) {
            labels[static_cast<std::size_t>(known)] += ", " + objective;
        } else {
            rows.push_back(best.rows[i]);
            labels.push_back(objective);
        }
    }
    return rows_text(table, rows, best.objectives, labels);
}

/// A swept field that no row notices is likely a mistake, or a dimension of the sweep to save.
std::string idle_text(const results::Table& table) {
    std::string text;
    for (const std::string& axis : results::idle_axes(table)) {
        text +=
            fmt::format("Axis {} changed nothing: points that differ in it alone have equal metrics\n", axis);
    }
    return text;
}

}  // namespace

std::string run_summary(const results::Table& table) {
    std::string text = fmt::format("{}: {} points\n{}", table.schema.sweep.name,
                                   human_count(std::uint64_t{table.rows()}), status_lines(table));
    if (count_of(table, Status::ok) == 0) {
        return text + "NO FEASIBLE POINT: every one of them failed or does not fit\n" + reason_lines(table);
    }
    const Best best = best_of(table);
    if (best.front.empty()) return text;
    const std::vector<std::string> names = names_of(best.objectives);
    text += fmt::format("Pareto front of {}: {} points\nBest in:\n", fmt::join(names, ", "),
                        human_count(std::uint64_t{best.front.size()}));
    text += best_text(table, best);
    if (const auto progress = search_progress(table, best.objectives))
        text += to_text(*progress, table.rows());
    return text + idle_text(table);
}

Json run_summary_json(const results::Table& table) {
    const Best best = best_of(table);
    Json json{{"name", table.schema.sweep.name}, {"points", table.rows()}};
    for (const Status status : statuses)
        json["status"][std::string{space::name(status)}] = count_of(table, status);
    json["objectives"] = names_of(best.objectives);
    json["front_size"] = best.front.size();
    if (const auto progress = search_progress(table, best.objectives)) json["search"] = to_json(*progress);
    json["idle_axes"] = results::idle_axes(table);
    json["rows"] = Json::array();
    for (const std::size_t row : best.rows) json["rows"].push_back(row_json(table, row));
    return json;
}

}  // namespace dse::app
