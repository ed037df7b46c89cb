#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "explore/lattice.hpp"

namespace dse::explore {

/// A point that was answered, as searches compare it.
struct Solution {
    Genome genome;
    std::vector<double> costs;  ///< to be minimised; of a feasible one all are finite
    double violation{0.0};      ///< 0: feasible; infinite where nobody knows how far it is from that

    [[nodiscard]] bool is_feasible() const { return violation == 0.0; }
};

/// Whether `a` is better: feasible instead of not, nearer to feasible, or as good in every cost and better in
/// one. Source: Deb, "An efficient constraint handling method for genetic algorithms", CMAME 186 (2000).
bool is_better(const Solution& a, const Solution& b);

}  // namespace dse::explore
