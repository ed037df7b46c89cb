#pragma once

#include <cstdint>
#include <vector>

#include "dse/metrics/metrics.hpp"
#include "dse/space/point.hpp"
#include "dse/study/sweep.hpp"

namespace dse::eval {

/// One change of a layout, or several changes that only help in combination.
struct Stair {
    std::vector<std::size_t> axes;  ///< indices of the axes that change
    space::Point point;             ///< point after this and all earlier changes
    metrics::Metrics metrics;
};

/// Path from one layout of a sweep to the fastest one.
struct Staircase {
    metrics::Metrics from;
    std::vector<Stair> stairs;  ///< each is faster than the one before; empty if no layout is faster
    std::uint64_t points{0};    ///< number of points that were evaluated
    std::uint64_t feasible{0};
    bool complete{true};  ///< whether all points were evaluated, rather than a local search from the layout
};

/// Finds the feasible point with the shortest iteration time: by exhaustive search if the grid has at most
/// `most` points, else by repeatedly making the best change of one or two axes. Then goes from `from` to this
/// point in the smallest possible changes, each time choosing the one that saves most.
/// \param from  a point of the sweep's grid
Staircase climb(const study::Sweep& sweep, const space::Point& from, std::uint64_t most = 20000);

/// Probability that the second of two steps of one job is shorter, given the errors of predicted ratios: the
/// logarithms are normally distributed and share `correlation` of their variance. NaN if no errors are known.
double probability_faster(const metrics::Metrics& before, const metrics::Metrics& after, double correlation);

}  // namespace dse::eval
