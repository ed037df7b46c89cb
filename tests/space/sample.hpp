#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dse/space/sampler.hpp"
#include "tiny_sweep.hpp"

namespace dse::space::testing {

/// The layout sweep under a search.
inline std::shared_ptr<const Space> layouts(const std::string& search) {
    return compile(layout_sweep + ("search: " + search + "\n"));
}

inline std::vector<Point> all_points(const Sampler& sampler, std::uint64_t first, std::uint64_t last) {
    std::vector<Point> points;
    Point point;
    const auto stream = sampler.points(first, last);
    while (stream->next(point)) points.push_back(point);
    return points;
}

}  // namespace dse::space::testing
