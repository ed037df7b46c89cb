#include "dse/results/idle_axes.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "dse/base/seed.hpp"

namespace dse::results {
namespace {

/// Hash of the bits, so that NaN equals NaN.
std::uint64_t hash(double value, std::size_t column) {
    return mixed(std::bit_cast<std::uint64_t>(value) + mixed(column + golden_gamma));
}

/// Columns that all rows have; parts of a time are only there on request.
std::vector<std::size_t> answer_columns(const Table& table) {
    const std::span<const metrics::MetricField> fields = metrics::metric_fields();
    std::vector<std::size_t> columns;
    for (std::size_t c = 0; c < table.schema.metrics.size(); ++c) {
        const bool is_part = std::any_of(fields.begin(), fields.end(), [&](const auto& field) {
            return field.is_part && field.name == table.schema.metrics[c].name;
        });
        if (!is_part) columns.push_back(c);
    }
    return columns;
}

std::uint64_t answer_of(const Table& block, const std::vector<std::size_t>& columns, std::size_t row) {
    auto sum = static_cast<std::uint64_t>(block.status[row]);
    for (const std::size_t c : columns) sum += hash(block.metrics[c][row], c);
    return sum;
}

}  // namespace

IdleAxes::IdleAxes(const Table& columns) : answers_{answer_columns(columns)} {
    for (std::size_t c = 0; c < columns.schema.points.size(); ++c) {
        const Column& column = columns.schema.points[c];
        if (column.role != ColumnRole::axis) continue;
        axes_.push_back({.name = column.name, .column = c, .answers = {}});
    }
    value_hashes_.resize(axes_.size());
}

void IdleAxes::add(const Table& block) {
    const bool all_differ =
        std::all_of(axes_.begin(), axes_.end(), [](const Axis& axis) { return axis.differs; });
    if (all_differ) return;
    for (std::size_t row = 0; row < block.rows(); ++row) add_row(block, row);
}

void IdleAxes::add_row(const Table& block, std::size_t row) {
    std::uint64_t sum = 0;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
        value_hashes_[a] = hash(block.points[axes_[a].column][row], a);
        sum += value_hashes_[a];
    }
    const std::uint64_t answer = answer_of(block, answers_, row);
    const bool is_ok = block.status[row] == space::Status::ok;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
        // Hash of the row's values on all other axes.
        if (!axes_[a].differs) add_to(axes_[a], mixed(sum - value_hashes_[a]), answer, is_ok);
    }
}

void IdleAxes::add_to(Axis& axis, std::uint64_t group, std::uint64_t answer, bool is_ok) {
    if ((group & axis.mask) != 0) return;
    const auto [known, is_new] = axis.answers.emplace(group, answer);
    if (!is_new) {
        axis.differs = known->second != answer;
        axis.has_any = axis.has_any || is_ok;
        if (axis.differs) axis.answers = {};
    } else if (axis.answers.size() > most_groups) {
        axis.mask = 2 * axis.mask + 1;
        std::erase_if(axis.answers, [&](const auto& entry) { return (entry.first & axis.mask) != 0; });
    }
}

std::vector<std::string> IdleAxes::names() const {
    std::vector<std::string> names;
    for (const Axis& axis : axes_) {
        if (!axis.differs && axis.has_any) names.push_back(axis.name);
    }
    return names;
}

std::uint64_t IdleAxes::looked_at_one_of() const {
    std::uint64_t mask = 0;
    for (const Axis& axis : axes_) {
        if (!axis.differs && axis.has_any) mask = std::max(mask, axis.mask);
    }
    return mask + 1;
}

}  // namespace dse::results
