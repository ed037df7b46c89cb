#include "explore/proven_front.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dse/metrics/pareto.hpp"

namespace dse::explore {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

double excess_of(double cost, double lower) {
    if (cost <= lower) return 0.0;
    if (lower > 0.0) return cost / lower - 1.0;
    if (lower < 0.0 && cost < 0.0 && lower > -unbounded) return lower / cost - 1.0;
    return unbounded;
}

/// The largest cost within the tolerance of a bound, rounded down.
double limit(double lower, double tolerance) {
    if (tolerance == 0.0 || !std::isfinite(lower)) return lower;
    const double wide = lower > 0.0 ? lower * (1.0 + tolerance) : lower / (1.0 + tolerance);
    return std::max(lower, std::nextafter(wide, -unbounded));
}

}  // namespace

double excess(std::span<const double> costs, std::span<const double> lower) {
    double most = 0.0;
    for (std::size_t i = 0; i < costs.size() && most < unbounded; ++i)
        most = std::max(most, excess_of(costs[i], lower[i]));
    return most;
}

bool covers(std::span<const double> costs, std::span<const double> lower, double tolerance) {
    bool better = tolerance > 0.0;
    for (std::size_t i = 0; i < costs.size(); ++i) {
        if (!(costs[i] <= limit(lower[i], tolerance))) return false;
        better = better || costs[i] < lower[i];
    }
    return better;
}

void ProvenFront::admit(std::uint64_t row, const std::vector<double>& costs) {
    const auto is_better = [&](const Member& member) { return metrics::dominates(member.costs, costs); };
    if (std::any_of(members_.begin(), members_.end(), is_better)) return;
    std::erase_if(members_, [&](const Member& member) { return metrics::dominates(costs, member.costs); });
    members_.push_back({row, costs});
}

double ProvenFront::gap(std::span<const double> lower) const {
    double least = unbounded;
    for (const Member& member : members_) least = std::min(least, excess(member.costs, lower));
    return least;
}

std::optional<std::uint64_t> ProvenFront::cover(std::span<const double> lower, double tolerance) const {
    for (const Member& member : members_)
        if (covers(member.costs, lower, tolerance)) return member.row;
    return std::nullopt;
}

}  // namespace dse::explore
