#include "explore/archive.hpp"

#include <algorithm>

namespace dse::explore {
namespace {

bool is_nowhere_worse(const Solution& a, const Solution& b) {
    return std::equal(a.costs.begin(), a.costs.end(), b.costs.begin(),
                      [](double x, double y) { return x <= y; });
}

}  // namespace

bool Archive::admit(const Solution& solution) {
    if (!solution.is_feasible()) return false;
    const auto covers = [&](const Solution& member) { return is_nowhere_worse(member, solution); };
    if (std::any_of(members_.begin(), members_.end(), covers)) return false;
    std::erase_if(members_, [&](const Solution& member) { return is_nowhere_worse(solution, member); });
    members_.push_back(solution);
    return true;
}

}  // namespace dse::explore
