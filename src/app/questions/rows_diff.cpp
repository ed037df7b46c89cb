#include "app/questions/rows_diff.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/result_columns.hpp"
#include "dse/metrics/metrics.hpp"

namespace dse::app {
namespace {

/// Difference of two numbers as a share of the larger one.
double difference(double a, double b) {
    if (std::isnan(a) && std::isnan(b)) return 0.0;
    if (std::isnan(a) || std::isnan(b)) return 1.0;
    if (a == b) return 0.0;
    const double share = std::abs(a - b) / std::max(std::abs(a), std::abs(b));
    return std::isnan(share) ? 1.0 : share;  // for infinities
}

/// Axes for which one of the files has no value.
std::vector<std::string> unknown_axes(const results::Table& a, const results::Table& b) {
    const std::vector<std::string> axes = all_axes(a, b);
    std::vector<std::string> unknown = RowKey{a, axes}.unknown();
    const RowKey of_b{b, axes};
    unknown.insert(unknown.end(), of_b.unknown().begin(), of_b.unknown().end());
    return unknown;
}

std::vector<std::string> known_axes(const results::Table& a, const results::Table& b) {
    std::vector<std::string> axes = all_axes(a, b);
    for (const std::string& name : unknown_axes(a, b)) std::erase(axes, name);
    return axes;
}

}  // namespace

RowsDiff::RowsDiff(results::Table a, const results::Table& columns_b, double tolerance)
    : a_{std::move(a)},
      tolerance_{tolerance},
      left_out_{unknown_axes(a_, columns_b)},
      key_a_{a_, known_axes(a_, columns_b)},
      key_b_{columns_b, known_axes(a_, columns_b)} {
    share_metrics(columns_b);
    index_rows();
}

void RowsDiff::share_metrics(const results::Table& columns_b) {
    const auto& of_b = columns_b.schema.metrics;
    const auto fields = metrics::metric_fields();
    for (std::size_t m = 0; m < a_.schema.metrics.size(); ++m) {
        const std::string& name = a_.schema.metrics[m].name;
        const auto found =
            std::find_if(of_b.begin(), of_b.end(), [&](const auto& column) { return column.name == name; });
        if (found == of_b.end()) continue;
        const bool is_part = std::any_of(
            fields.begin(), fields.end(),
            [&](const metrics::MetricField& field) { return field.is_part && field.name == name; });
        shared_.push_back({m, static_cast<std::size_t>(found - of_b.begin()), is_part, {.metric = name}});
    }
}

void RowsDiff::index_rows() {
    keys_.reserve(a_.rows());
    for (std::size_t row = 0; row < a_.rows(); ++row) {
        if (!keys_.try_emplace(key_a_.of(a_, row), Kept{row}).second) ++repeated_;
    }
}

void RowsDiff::add(const results::Table& block_of_b) {
    for (std::size_t row = 0; row < block_of_b.rows(); ++row) {
        const auto found = keys_.find(key_b_.of(block_of_b, row));
        if (found == keys_.end()) {
            ++only_b_;
        } else if (found->second.met) {
            ++repeated_;
        } else {
            found->second.met = true;
            ++in_both_;
            if (compare(found->second.row, block_of_b, row)) ++equal_;
        }
    }
}

bool RowsDiff::compare_status(std::size_t row_a, const results::Table& b, std::size_t row_b) {
    if (a_.status[row_a] == b.status[row_b]) return true;
    StatusDifference& found = statuses_[{a_.status[row_a], b.status[row_b]}];
    if (found.rows++ == 0) {
        found.example = point_text(b, row_b);
        found.reason = b.reason[row_b].empty() ? a_.reason[row_a] : b.reason[row_b];
    }
    return false;
}

bool RowsDiff::compare(std::size_t row_a, const results::Table& b, std::size_t row_b) {
    if (!compare_status(row_a, b, row_b)) return false;
    bool same = true;
    for (Shared& shared : shared_) {
        const double of_a = a_.metrics[shared.a][row_a];
        const double of_b = b.metrics[shared.b][row_b];
        if (shared.is_part && std::isnan(of_a) != std::isnan(of_b)) continue;
        const double share = difference(of_a, of_b);
        if (share <= tolerance_) continue;
        same = false;
        ++shared.found.rows;
        if (share <= shared.found.largest) continue;
        shared.found.largest = share;
        shared.found.example = point_text(b, row_b);
        shared.found.a = of_a;
        shared.found.b = of_b;
    }
    return same;
}

std::vector<MetricDifference> RowsDiff::metrics() const {
    std::vector<MetricDifference> found;
    for (const Shared& shared : shared_) {
        if (shared.found.rows > 0) found.push_back(shared.found);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& x, const auto& y) { return x.rows > y.rows; });
    return found;
}

std::string point_text(const results::Table& rows, std::size_t row) {
    std::vector<std::string> values;
    for (std::size_t c = 0; c < rows.schema.points.size(); ++c) {
        const results::Column& column = rows.schema.points[c];
        if (column.role != results::ColumnRole::axis) continue;
        values.push_back(fmt::format("{}={}", column.name, column_text(column, rows.points[c][row])));
    }
    return fmt::format("{}", fmt::join(values, " "));
}

}  // namespace dse::app
