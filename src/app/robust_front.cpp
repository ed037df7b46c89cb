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
constexpr std::array<std::string_view, 11> times{"iteration_time",
                                                 "mfu",
                                                 "tokens_per_second",
                                                 "tokens_per_second_per_device",
                                                 "samples_per_second",
                                                 "energy",
                                                 "cost",
                                                 "carbon",
                                                 "joules_per_token",
                                                 "usd_per_mtoken",
                                                 "gco2e_per_mtoken"};

/// Half the width of a row's interval for the logarithm of a metric; 0 if unknown.
double width_of(const results::Table& table, std::size_t row, std::string_view metric) {
    const bool is_time = std::find(times.begin(), times.end(), metric) != times.end();
    if (!is_time && metric != "memory_peak") return 0.0;
    const char* high = is_time ? "iteration_time_high" : "memory_peak_high";
    const char* low = is_time ? "iteration_time_low" : "memory_peak_low";
    const double width = 0.5 * std::log(table.metric(high)[row] / table.metric(low)[row]);
    return std::isnan(width) ? 0.0 : width;
}

}  // namespace

RobustFront::RobustFront(const results::Table& front, std::vector<metrics::Objective> objectives,
                         double correlation)
    : front_{&front}, objectives_{std::move(objectives)}, share_{std::sqrt(2.0 * (1.0 - correlation))} {
    if (!applies_to(front))
        throw InputError(
            "--robust: the file was written by a version without error bars (run the sweep again)");
}

bool RobustFront::applies_to(const results::Table& columns) {
    const auto& metrics = columns.schema.metrics;
    return std::any_of(metrics.begin(), metrics.end(),
                       [](const auto& column) { return column.name == "iteration_time_low"; });
}

bool RobustFront::has_bars(const results::Table& rows, std::size_t row, const std::string& metric) {
    return width_of(rows, row, metric) > 0.0;
}

bool RobustFront::is_surely_better(std::size_t of_front, const results::Table& block, std::size_t row) const {
    bool differs = false;  // a row is no better than itself
    const bool all =
        std::all_of(objectives_.begin(), objectives_.end(), [&](const metrics::Objective& objective) {
            const double best = front_->metric(objective.metric)[of_front];
            const double value = block.metric(objective.metric)[row];
            const bool minimized = objective.direction == metrics::Direction::minimize;
            const double width = width_of(block, row, objective.metric);
            differs = differs || best != value;
            if (width == 0.0) return minimized ? best <= value : best >= value;
            return std::log(minimized ? value / best : best / value) > share_ * width;
        });
    return all && differs;
}

bool RobustFront::holds(const results::Table& block, std::size_t row) const {
    if (block.status[row] != space::Status::ok) return false;
    const auto missing = [&](const metrics::Objective& objective) {
        return std::isnan(block.metric(objective.metric)[row]);
    };
    if (std::any_of(objectives_.begin(), objectives_.end(), missing)) return false;
    for (std::size_t i = 0; i < front_->rows(); ++i) {
        if (is_surely_better(i, block, row)) return false;
    }
    return true;
}

}  // namespace dse::app
