#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "explore/solution.hpp"

namespace dse::explore {

/// Rank of a solution in a population.
struct Rank {
    std::size_t front{0};  ///< 0: no solution is better
    double crowding{0.0};  ///< distance to its neighbours on the front; infinite at the ends

    /// Whether it is preferred: a better front, or a less crowded place.
    [[nodiscard]] bool precedes(const Rank& other) const {
        return front != other.front ? front < other.front : crowding > other.crowding;
    }
};

/// Fronts and crowding distances. Of solutions with equal costs, all but the first have crowding −1.
/// Source: Deb, Pratap, Agarwal, Meyarivan, "A fast and elitist multiobjective genetic algorithm: NSGA-II",
/// IEEE TEC 6 (2002).
std::vector<Rank> ranks_of(std::span<const Solution> solutions);

/// Crowding distances of feasible, mutually non-dominated solutions.
std::vector<double> crowding_of(std::span<const Solution> front);

}  // namespace dse::explore
