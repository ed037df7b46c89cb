#include "explore/solution.hpp"

#include "dse/metrics/pareto.hpp"

namespace dse::explore {

bool is_better(const Solution& a, const Solution& b) {
    if (a.is_feasible() && b.is_feasible()) return metrics::dominates(a.costs, b.costs);
    return a.violation < b.violation;
}

}  // namespace dse::explore
