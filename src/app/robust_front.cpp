#include "app/robust_front.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "dse/base/error.hpp"

namespace dse::app {
namespace {

/// Metrics that are a time, or follow from one in proportion.
constexpr std::array<std::string_view, 7> times{
    "iteration_time", "energy", "cost", "carbon", "joules_per_token", "usd_per_mtoken", "gco2e_per_mtoken"};

/// Metrics that follow from the inverse of a time: what takes longer than predicted has a lower one.
constexpr std::array<std::string_view, 4> rates{"mfu", "tokens_per_second", "tokens_per_second_per_device",
                                                "samples_per_second"};

/// Whether rows with other values of a column are other models, or on other chips or under other stacks. A
/// field of one, as cluster.device.memory.bandwidth, changes what all layouts share.
bool chooses_what_runs(std::string_view column) {
    constexpr std::array<std::string_view, 4> choices{"model", "cluster", "device", "stack"};
    const std::string_view field = column.substr(column.rfind('.') + 1);
    return std::ranges::find(choices, field) != choices.end();
}

/// The errors of a row's metric.
eval::ErrorInterval errors_in(const results::Table& table, std::size_t row, std::string_view metric) {
    const auto of = [&](const char* low, const char* high, const char* predicted) {
        return eval::interval_between(table.metric(low)[row], table.metric(high)[row],
                                      table.metric(predicted)[row]);
    };
    if (metric == "memory_peak") return of("memory_peak_low", "memory_peak_high", "memory_peak");
    const bool is_rate = std::ranges::find(rates, metric) != rates.end();
    if (!is_rate && std::ranges::find(times, metric) == times.end()) return {};
    eval::ErrorInterval interval = of("iteration_time_low", "iteration_time_high", "iteration_time");
    if (is_rate) interval.shift = -interval.shift;
    return interval;
}

}  // namespace

RobustFront::RobustFront(const results::Table& front, std::vector<metrics::Objective> objectives,
                         SharedErrors shared)
    : front_{&front}, objectives_{std::move(objectives)}, shared_{shared} {
    if (!applies_to(front))
        throw InputError(
            "--robust: the file was written by a version without error bars (run the sweep again)");
    for (std::size_t row = 0; row < front.rows(); ++row) errors_.push_back(errors_of(front, row));
    for (std::size_t c = 0; c < front.schema.points.size(); ++c) {
        if (chooses_what_runs(front.schema.points[c].name)) chosen_.push_back(c);
    }
}

bool RobustFront::applies_to(const results::Table& columns) {
    const auto& metrics = columns.schema.metrics;
    return std::any_of(metrics.begin(), metrics.end(),
                       [](const auto& column) { return column.name == "iteration_time_low"; });
}

bool RobustFront::has_bars(const results::Table& rows, std::size_t row, const std::string& metric) {
    return errors_in(rows, row, metric).width > 0.0;
}

RobustFront::Errors RobustFront::errors_of(const results::Table& table, std::size_t row) const {
    Errors errors;
    for (const metrics::Objective& objective : objectives_)
        errors.push_back(errors_in(table, row, objective.metric));
    return errors;
}

double RobustFront::correlation(std::size_t of_front, const results::Table& block, std::size_t row) const {
    const bool alike = std::ranges::all_of(chosen_, [&](std::size_t column) {
        return front_->points[column][of_front] == block.points[column][row];
    });
    return alike ? shared_.alike : shared_.apart;
}

bool RobustFront::is_surely_better(std::size_t of_front, const results::Table& block, std::size_t row,
                                   const Errors& errors) const {
    const double common = correlation(of_front, block, row);
    bool differs = false;  // a row is no better than itself
    for (std::size_t i = 0; i < objectives_.size(); ++i) {
        const metrics::Objective& objective = objectives_[i];
        const double best = front_->metric(objective.metric)[of_front];
        const double value = block.metric(objective.metric)[row];
        const bool minimized = objective.direction == metrics::Direction::minimize;
        const eval::ErrorInterval interval = eval::ratio(errors[i], errors_[of_front][i], common);
        differs = differs || best != value;
        const double above = std::log(value / best) + interval.shift;
        const bool surely = interval.width == 0.0 ? (minimized ? best <= value : best >= value)
                                                  : (minimized ? above : -above) > interval.width;
        if (!surely) return false;
    }
    return differs;
}

bool RobustFront::holds(const results::Table& block, std::size_t row) const {
    if (block.status[row] != space::Status::ok) return false;
    const auto missing = [&](const metrics::Objective& objective) {
        return std::isnan(block.metric(objective.metric)[row]);
    };
    if (std::any_of(objectives_.begin(), objectives_.end(), missing)) return false;
    const Errors errors = errors_of(block, row);
    for (std::size_t i = 0; i < front_->rows(); ++i) {
        if (is_surely_better(i, block, row, errors)) return false;
    }
    return true;
}

}  // namespace dse::app
