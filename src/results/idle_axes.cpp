#include "dse/results/idle_axes.hpp"

#include <algorithm>
#include <bit>

namespace dse::results {
namespace {

/// Source: the finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014).
std::uint64_t mixed(std::uint64_t value) {
    value += 0x9e3779b97f4a7c15U;
    value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
    return value ^ (value >> 31U);
}

/// NaN equals NaN.
std::uint64_t hash(double value, std::size_t column) {
    return mixed(std::bit_cast<std::uint64_t>(value) + mixed(column));
}

std::uint64_t answer_of(const Table& block, std::size_t row) {
    auto sum = static_cast<std::uint64_t>(block.status[row]);
    for (std::size_t c = 0; c < block.metrics.size(); ++c) sum += hash(block.metrics[c][row], c);
    return sum;
}

}  // namespace

IdleAxes::IdleAxes(const Table& columns) {
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
    const std::uint64_t answer = answer_of(block, row);
    const bool is_ok = block.status[row] == space::Status::ok;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
        // What the row has in all other axes.
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
