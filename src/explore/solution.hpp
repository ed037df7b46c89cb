#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "explore/lattice.hpp"

namespace dse::explore {

/// A point with its answer, as searches compare it.
struct Solution {
    Genome genome;
    std::vector<double> costs;  ///< to be minimised; all finite for feasible solutions
    double violation{0.0};      ///< 0: feasible; infinite if the distance from feasibility is unknown

    [[nodiscard]] bool is_feasible() const { return violation == 0.0; }
};

/// Whether `a` is better: feasible instead of infeasible, less violation, or as good in every cost and better
/// in one. Source: Deb, "An efficient constraint handling method for genetic algorithms", CMAME 186 (2000).
bool is_better(const Solution& a, const Solution& b);

}  // namespace dse::explore
