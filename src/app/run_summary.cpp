#include "app/run_summary.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/csv.hpp"
#include "app/human.hpp"
#include "app/text_table.hpp"
#include "dse/base/error.hpp"

namespace dse::app {
namespace {

using space::Status;

constexpr std::size_t most_reasons = 100;  ///< to list in JSON

constexpr std::array statuses{Status::ok, Status::out_of_memory, Status::outside_validity, Status::failed,
                              Status::timed_out};

/// The row of a front that is best in each objective (the first one if several).
std::vector<std::size_t> best_rows(const results::FrontRows& front) {
    std::vector<std::size_t> best;
    if (front.rows().rows() == 0) return best;
    const metrics::CostTable costs = results::costs(front.rows(), front.answered());
    for (std::size_t objective = 0; objective < costs.objectives(); ++objective) {
        std::size_t least = 0;
        for (std::size_t row = 1; row < costs.size(); ++row) {
            if (costs[row][objective] < costs[least][objective]) least = row;
        }
        best.push_back(least);
    }
    return best;
}

std::vector<std::string> names_of(const std::vector<metrics::Objective>& objectives) {
    std::vector<std::string> names;
    names.reserve(objectives.size());
    for (const metrics::Objective& objective : objectives) names.push_back(objective.metric);
    return names;
}

/// Lists the best rows. A row that is best in several objectives is listed once.
std::string best_text(const results::FrontRows& front, const std::vector<std::size_t>& varied) {
    std::vector<std::size_t> rows;
    std::vector<std::string> labels;
    const std::vector<std::size_t> best = best_rows(front);
    for (std::size_t i = 0; i < best.size(); ++i) {
        const auto known = std::find(rows.begin(), rows.end(), best[i]) - rows.begin();
        const std::string& objective = front.answered()[i].metric;
        if (static_cast<std::size_t>(known) < rows.size()) {
            labels[static_cast<std::size_t>(known)] += ", " + objective;
        } else {
            rows.push_back(best[i]);
            labels.push_back(objective);
        }
    }
    return rows_text(front.rows(), rows, front.answered(), varied, labels, usual_metrics(front.rows()));
}

}  // namespace

RunSummary::RunSummary(const results::Table& columns)
    : name_{results::title(columns.schema.sweep)},
      where_{stated_conditions(columns.schema)},
      front_{columns, columns.schema.sweep.objectives},
      course_{columns},
      varied_{columns},
      idle_{columns} {}

void RunSummary::add(const results::Table& block) {
    rows_ += block.rows();
    for (const Status status : block.status) ++counts_.at(static_cast<std::size_t>(status));
    reasons_.add(block);
    const std::span<const Status> shown = feasible(block);
    meeting_ += static_cast<std::uint64_t>(std::ranges::count(shown, Status::ok));
    front_.add(block, shown);
    short_runs_.add(block, shown);
    shifted_bars_.add(block, shown);
    course_.add(block, shown);
    varied_.add(block);
    idle_.add(block);
}

/// Statuses of the rows after the sweep's conditions. If these cannot be applied, the rows are summarized
/// without them.
std::span<const Status> RunSummary::feasible(const results::Table& block) {
    if (!unfiltered_.empty()) return block.status;
    try {
        return filter_.statuses(block);
    } catch (const InputError& error) {
        unfiltered_ = fmt::format("Rows that violate the sweep's 'where' are included: {}\n", error.what());
        return block.status;
    }
}

std::uint64_t RunSummary::count_of(Status status) const {
    return counts_.at(static_cast<std::size_t>(status));
}

std::string RunSummary::status_lines() const {
    TextTable text;
    text.add_column("", TextTable::Align::left);
    text.add_column("");
    text.add_column("");
    for (const Status status : statuses) {
        const std::uint64_t count = count_of(status);
        if (count == 0 && status != Status::ok) continue;
        text.add_row({std::string{space::name(status)}, human_count(count),
                      human_share(static_cast<double>(count) / static_cast<double>(rows_))});
    }
    return text.text(2);
}

/// The most frequent reasons why rows have no answer, by status, except lack of memory.
std::string RunSummary::reasons_by_status() const {
    constexpr std::size_t most = 3;
    std::string text;
    for (const Status status : {Status::outside_validity, Status::failed, Status::timed_out}) {
        const auto reasons = reasons_.ordered([status](Status other) { return other == status; });
        if (reasons.empty()) continue;
        text += fmt::format("Why {}:\n", space::name(status));
        for (std::size_t i = 0; i < std::min(most, reasons.size()); ++i) {
            text += fmt::format("  {}, as in: {}\n", counted(reasons[i].rows, "time"), reasons[i].example);
        }
        if (reasons.size() > most) text += fmt::format("  … and {} more reasons\n", reasons.size() - most);
    }
    return text;
}

std::string RunSummary::reason_lines() const {
    constexpr std::size_t most = 3;
    std::string text;
    const std::vector<CommonReason> reasons = reasons_.ordered([](Status) { return true; });
    for (std::size_t i = 0; i < std::min(most, reasons.size()); ++i) {
        text += fmt::format("  {}, as in: {}\n", counted(reasons[i].rows, "time"), reasons[i].example);
    }
    return text;
}

/// A swept field without any effect is probably a mistake, or an unnecessary dimension of the sweep.
std::string RunSummary::idle_text() const {
    std::string text;
    const std::uint64_t part = idle_.looked_at_one_of();
    for (const std::string& axis : idle_.names()) {
        text += fmt::format("Axis {} had no effect: points that differ only in it have equal metrics{}\n",
                            axis, part == 1 ? "" : fmt::format(" (checked for one in {})", part));
    }
    return text;
}

std::string RunSummary::text() const {
    std::string text = fmt::format("{}: {}\n{}", name_, counted(rows_, "point"), status_lines());
    if (count_of(Status::ok) == 0) {
        return text +
               "NO FEASIBLE POINT: every point failed, does not fit, or is outside of what the models can "
               "predict\n" +
               reason_lines();
    }
    text += reasons_by_status();
    const std::size_t size = front_.rows().rows();
    if (meeting_ == 0 && !where_.empty())
        return text + fmt::format("NO POINT MEETS THE CONDITIONS of the sweep's 'where': {}\n",
                                  fmt::join(where_, " and "));
    if (size == 0) return text;
    text += fmt::format("Pareto front of {}: {}\nBest in:\n", fmt::join(names_of(front_.answered()), ", "),
                        counted(size, "point"));
    text += best_text(front_, varied_.axes()) + unfiltered_;
    text += short_runs_.text() + shifted_bars_.text();
    if (const auto progress = course_.progress(front_.answered())) text += to_text(*progress, rows_);
    return text + idle_text();
}

Json RunSummary::reasons_json() const {
    Json list = Json::array();
    for (const Status status : statuses) {
        for (const CommonReason& reason :
             reasons_.ordered([status](Status other) { return other == status; })) {
            if (list.size() >= most_reasons) return list;
            list.push_back(
                {{"status", space::name(status)}, {"rows", reason.rows}, {"example", reason.example}});
        }
    }
    return list;
}

Json RunSummary::json() const {
    Json json{{"name", name_}, {"points", rows_}};
    for (const Status status : statuses) json["status"][std::string{space::name(status)}] = count_of(status);
    json["reasons"] = reasons_json();
    json["objectives"] = names_of(front_.answered());
    json["front_size"] = front_.rows().rows();
    if (const auto progress = course_.progress(front_.answered())) json["search"] = to_json(*progress);
    json["idle_axes"] = idle_.names();
    json["rows"] = Json::array();
    for (const std::size_t row : best_rows(front_)) json["rows"].push_back(row_json(front_.rows(), row));
    return json;
}

}  // namespace dse::app
