#include "app/run_summary.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/human.hpp"
#include "app/result_columns.hpp"
#include "dse/metrics/pareto.hpp"

namespace dse::app {
namespace {

using space::Status;

std::string status_lines(const results::Table& table) {
    constexpr std::array statuses{Status::ok, Status::out_of_memory, Status::outside_validity, Status::failed,
                                  Status::timed_out};
    TextTable text;
    text.add_column("", TextTable::Align::left);
    text.add_column("");
    text.add_column("");
    for (const Status status : statuses) {
        const auto count =
            static_cast<std::uint64_t>(std::count(table.status.begin(), table.status.end(), status));
        if (count == 0 && status != Status::ok) continue;
        text.add_row({std::string{space::name(status)}, human_count(count),
                      human_share(static_cast<double>(count) / static_cast<double>(table.rows()))});
    }
    return text.text(2);
}

/// The commonest reasons of rows without an answer; numbers in them differ from point to point, so those of
/// one status and beginning count together.
std::string common_reasons(const results::Table& table) {
    std::map<std::string, std::pair<std::uint64_t, std::string>> by_start;
    for (std::size_t i = 0; i < table.rows(); ++i) {
        if (table.status[i] == Status::ok) continue;
        const std::string start{table.reason[i].substr(0, table.reason[i].find_first_of("0123456789"))};
        auto& [count, example] = by_start[fmt::format("{} {}", space::name(table.status[i]), start)];
        if (count++ == 0) example = table.reason[i];
    }
    std::vector<std::pair<std::uint64_t, std::string>> ordered;
    for (const auto& [start, entry] : by_start) ordered.push_back(entry);
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, ordered.size()); ++i) {
        text += fmt::format("  {} times, as in: {}\n", human_count(ordered[i].first), ordered[i].second);
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

}  // namespace

std::string run_summary(const results::Table& table) {
    std::string text = fmt::format("{}: {} points\n{}", table.schema.sweep.name,
                                   human_count(std::uint64_t{table.rows()}), status_lines(table));
    if (std::find(table.status.begin(), table.status.end(), Status::ok) == table.status.end()) {
        return text + "NO FEASIBLE POINT: every one of them failed or does not fit\n" + common_reasons(table);
    }
    const std::vector<metrics::Objective> objectives = answered(table, table.schema.sweep.objectives);
    if (objectives.empty()) return text;
    const metrics::CostTable costs = results::costs(table, objectives);
    const std::vector<std::size_t> front = metrics::pareto_front(costs);
    if (front.empty()) return text;
    const std::vector<std::string> names = names_of(objectives);
    text += fmt::format("Pareto front of {}: {} points\nBest in each:\n", fmt::join(names, ", "),
                        human_count(std::uint64_t{front.size()}));
    return text + row_table(table, best_rows(costs, front), objectives).text(2);
}

}  // namespace dse::app
