#include "explore/ranking.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "dse/metrics/pareto.hpp"

namespace dse::explore {
namespace {

using Indices = std::vector<std::size_t>;

/// Fronts of feasible solutions. Sorted by their costs none is dominated by a later one, so that each is
/// compared with members of fronts alone, the latest first. Source: Zhang, Tian, Cheng, Jin, "An efficient
/// approach to nondominated sorting for evolutionary multiobjective optimization", IEEE TEC 19 (2015).
std::vector<Indices> fronts_of_feasible(std::span<const Solution> solutions, Indices order) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return solutions[a].costs < solutions[b].costs; });
    std::vector<Indices> fronts;
    for (const std::size_t i : order) {
        const auto beats = [&](std::size_t j) {
            return metrics::dominates(solutions[j].costs, solutions[i].costs);
        };
        const auto place = std::find_if(fronts.begin(), fronts.end(), [&](const Indices& front) {
            return std::none_of(front.rbegin(), front.rend(), beats);
        });
        (place == fronts.end() ? fronts.emplace_back() : *place).push_back(i);
    }
    return fronts;
}

/// Those that are equally far from feasible stand on one front.
void add_infeasible(std::span<const Solution> solutions, Indices order, std::vector<Indices>& fronts) {
    const auto violation = [&](std::size_t i) { return solutions[i].violation; };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return violation(a) < violation(b); });
    for (std::size_t n = 0; n < order.size(); ++n) {
        if (n == 0 || violation(order[n - 1]) < violation(order[n])) fronts.emplace_back();
        fronts.back().push_back(order[n]);
    }
}

/// Non-dominated sorting; on each front in the order of the solutions.
std::vector<Indices> fronts_of(std::span<const Solution> solutions) {
    Indices order(solutions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto middle = std::stable_partition(order.begin(), order.end(),
                                              [&](std::size_t i) { return solutions[i].is_feasible(); });
    std::vector<Indices> fronts = fronts_of_feasible(solutions, {order.begin(), middle});
    add_infeasible(solutions, {middle, order.end()}, fronts);
    for (Indices& front : fronts) std::sort(front.begin(), front.end());
    return fronts;
}

/// Adds one objective's contribution to the distances of a front of feasible solutions.
void spread(std::span<const Solution> solutions, Indices front, std::size_t objective,
            std::vector<Rank>& ranks) {
    const auto cost = [&](std::size_t i) { return solutions[i].costs[objective]; };
    std::stable_sort(front.begin(), front.end(),
                     [&](std::size_t a, std::size_t b) { return cost(a) < cost(b); });
    const double range = cost(front.back()) - cost(front.front());
    if (!(range > 0.0)) return;
    ranks[front.front()].crowding = std::numeric_limits<double>::infinity();
    ranks[front.back()].crowding = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i + 1 < front.size(); ++i)
        ranks[front[i]].crowding += (cost(front[i + 1]) - cost(front[i - 1])) / range;
}

/// \return the front without solutions whose costs equal those of an earlier one
Indices without_twins(std::span<const Solution> solutions, Indices front, std::vector<Rank>& ranks) {
    std::stable_sort(front.begin(), front.end(),
                     [&](std::size_t a, std::size_t b) { return solutions[a].costs < solutions[b].costs; });
    Indices first;
    for (const std::size_t i : front) {
        if (!first.empty() && solutions[first.back()].costs == solutions[i].costs) {
            ranks[i].crowding = -1.0;
        } else {
            first.push_back(i);
        }
    }
    return first;
}

/// \param front  feasible
void set_crowding(std::span<const Solution> solutions, Indices front, std::vector<Rank>& ranks) {
    front = without_twins(solutions, std::move(front), ranks);
    const std::size_t objectives = solutions[front.front()].costs.size();
    for (std::size_t objective = 0; objective < objectives; ++objective)
        spread(solutions, front, objective, ranks);
}

}  // namespace

std::vector<Rank> ranks_of(std::span<const Solution> solutions) {
    std::vector<Rank> ranks(solutions.size());
    const std::vector<Indices> fronts = fronts_of(solutions);
    for (std::size_t f = 0; f < fronts.size(); ++f) {
        for (const std::size_t i : fronts[f]) ranks[i].front = f;
        if (!solutions[fronts[f].front()].is_feasible()) continue;
        set_crowding(solutions, fronts[f], ranks);
    }
    return ranks;
}

std::vector<double> crowding_of(std::span<const Solution> front) {
    std::vector<Rank> ranks(front.size());
    Indices all(front.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (!all.empty()) set_crowding(front, std::move(all), ranks);
    std::vector<double> crowding;
    for (const Rank& rank : ranks) crowding.push_back(rank.crowding);
    return crowding;
}

}  // namespace dse::explore
