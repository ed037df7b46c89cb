#pragma once

#include <cstdint>
#include <vector>

#include "dse/metrics/metrics.hpp"
#include "dse/space/point.hpp"
#include "dse/study/sweep.hpp"

namespace dse::eval {

/// One change of a layout, or several that only help together.
struct Stair {
    std::vector<std::size_t> axes;  ///< whose values change, by index
    space::Point point;             ///< with all changes so far
    metrics::Metrics metrics;
};

/// From one layout of a sweep to its fastest.
struct Staircase {
    metrics::Metrics from;
    std::vector<Stair> stairs;  ///< empty where nothing is faster; each is faster than the one before
    std::uint64_t points{0};    ///< that were evaluated
    std::uint64_t feasible{0};
    bool complete{true};  ///< all points of the space were; else it was climbed from the layout
};

/// Finds the point of least iteration time that fits: among all of a grid of at most `most` points, else by
/// the best change of one axis or two, again and again. Then walks there from `from` in changes as small as
/// possible, each time the one that saves most.
/// \param from  of the sweep's grid
Staircase climb(const study::Sweep& sweep, const space::Point& from, std::uint64_t most = 20000);

/// Probability that the second of two steps of one job is the shorter one, as predicted errors of ratios are
/// distributed: logarithms normal, with the share `correlation` of their variance in common. NaN where no
/// errors are known.
double probability_faster(const metrics::Metrics& before, const metrics::Metrics& after, double correlation);

}  // namespace dse::eval
