#include "dse/results/front_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace dse::results {
namespace {

bool has_value(std::span<const double> values) {
    return std::any_of(values.begin(), values.end(), [](double value) { return !std::isnan(value); });
}

/// Whether a row of the table dominates a row of costs.
bool is_dominated(const metrics::CostTable& by, std::span<const double> costs) {
    for (std::size_t i = 0; i < by.size(); ++i) {
        if (metrics::dominates(by[i], costs)) return true;
    }
    return false;
}

}  // namespace

FrontRows::FrontRows(const Table& columns, std::vector<metrics::Objective> objectives)
    : objectives_{std::move(objectives)}, front_{without_rows(columns)} {
    for (const metrics::Objective& objective : objectives_) {
        static_cast<void>(columns.metric(objective.metric));
    }
}

std::vector<metrics::Objective> FrontRows::answered_with(const Table& block) const {
    std::vector<metrics::Objective> answered;
    for (const metrics::Objective& objective : objectives_) {
        const bool before = std::find(answered_.begin(), answered_.end(), objective) != answered_.end();
        if (before || has_value(block.metric(objective.metric))) answered.push_back(objective);
    }
    return answered;
}

void FrontRows::add(const Table& block, std::span<const space::Status> status) {
    std::vector<metrics::Objective> now = answered_with(block);
    if (now.empty()) return;
    if (now != answered_) {
        answered_ = std::move(now);
        front_.clear();
        costs_ = metrics::CostTable{answered_.size()};
    }
    const metrics::CostTable block_costs = costs(block, answered_, status);
    std::vector<std::size_t> admitted = metrics::pareto_front(block_costs);
    std::erase_if(admitted, [&](std::size_t row) { return is_dominated(costs_, block_costs[row]); });
    if (admitted.empty()) return;
    drop_dominated(block_costs, admitted);
    for (const std::size_t row : admitted) {
        front_.append(block, row);
        costs_.add(block_costs[row]);
    }
}

/// Removes the rows of the front that the given rows of `by` dominate.
void FrontRows::drop_dominated(const metrics::CostTable& by, const std::vector<std::size_t>& rows) {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < costs_.size(); ++i) {
        const bool dominated = std::any_of(rows.begin(), rows.end(), [&](std::size_t row) {
            return metrics::dominates(by[row], costs_[i]);
        });
        if (!dominated) kept.push_back(i);
    }
    if (kept.size() == costs_.size()) return;
    Table front = without_rows(front_);
    metrics::CostTable costs{answered_.size()};
    for (const std::size_t i : kept) {
        front.append(front_, i);
        costs.add(costs_[i]);
    }
    front_ = std::move(front);
    costs_ = std::move(costs);
}

std::vector<std::size_t> ordered_rows(const Table& rows, const std::vector<metrics::Objective>& objectives) {
    std::vector<std::size_t> order(rows.rows());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (objectives.empty()) return order;
    const metrics::CostTable by = costs(rows, objectives);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::ranges::lexicographical_compare(by[a], by[b]);
    });
    return order;
}

Table best_first(const Table& rows, const std::vector<metrics::Objective>& objectives) {
    Table ordered = without_rows(rows);
    for (const std::size_t row : ordered_rows(rows, objectives)) ordered.append(rows, row);
    return ordered;
}

}  // namespace dse::results
