#include "dse/graph/fullest_touched_share.hpp"

#include <algorithm>
#include <cmath>

#include "graph/largest_of_normals.hpp"

namespace dse::graph {

double fullest_touched_share(const Routing& routing, const RoutedLayer& layer, double tokens) {
    const double mean = touched_share(routing, layer, tokens);
    if (layer.devices == 1) return mean;
    const double each = static_cast<double>(layer.experts) / static_cast<double>(layer.devices);
    const double deviation = std::sqrt(mean * (1.0 - mean) / each);
    return std::min(1.0, mean + deviation * largest_of_normals(layer.devices));
}

}  // namespace dse::graph
