#include "explore/ranking.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace dse::explore {
namespace {

using Indices = std::vector<std::size_t>;

/// Non-dominated sorting.
std::vector<Indices> fronts_of(std::span<const Solution> solutions) {
    std::vector<Indices> worse(solutions.size());
    Indices better(solutions.size());
    for (std::size_t i = 0; i < solutions.size(); ++i) {
        for (std::size_t j = i + 1; j < solutions.size(); ++j) {
            if (is_better(solutions[i], solutions[j])) {
                worse[i].push_back(j);
                ++better[j];
            } else if (is_better(solutions[j], solutions[i])) {
                worse[j].push_back(i);
                ++better[i];
            }
        }
    }
    std::vector<Indices> fronts(1);
    for (std::size_t i = 0; i < solutions.size(); ++i) {
        if (better[i] == 0) fronts[0].push_back(i);
    }
    while (!fronts.back().empty()) {
        Indices next;
        for (const std::size_t i : fronts.back()) {
            for (const std::size_t j : worse[i]) {
                if (--better[j] == 0) next.push_back(j);
            }
        }
        std::sort(next.begin(), next.end());
        fronts.push_back(std::move(next));
    }
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
        if (fronts[f].empty() || !solutions[fronts[f].front()].is_feasible()) continue;
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
