#include "dse/graph/routing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "graph/largest_of_normals.hpp"
#include "graph/require_in_range.hpp"

namespace dse::graph {
namespace {

double uniform_load(const RoutedLayer& layer) {
    return 1.0 + largest_of_normals(layer.devices) / std::sqrt(layer.rows);
}

double zipf_load(const Routing& routing, const RoutedLayer& layer) {
    constexpr int placements = 256;
    std::vector<double> share = popularity(routing, layer);
    std::mt19937_64 random{static_cast<std::uint64_t>(routing.seed)};
    const auto each = static_cast<std::ptrdiff_t>(layer.experts / layer.devices);
    double sum = 0.0;
    for (int i = 0; i < placements; ++i) {
        for (std::size_t last = share.size() - 1; last > 0; --last)
            std::swap(share[last], share[random() % (last + 1)]);
        double fullest = 0.0;
        for (auto own = share.begin(); own != share.end(); own += each)
            fullest = std::max(fullest, std::accumulate(own, own + each, 0.0));
        sum += fullest;
    }
    const double mean = static_cast<double>(layer.chosen) / static_cast<double>(layer.devices);
    return sum / placements / mean;
}

}  // namespace

void require_valid(const Routing& routing) {
    require_in_range(routing);
}

double fullest_load(const Routing& routing, const RoutedLayer& layer) {
    if (layer.chosen > layer.experts) {
        throw ModelError(
            fmt::format("{} experts per token, but there are only {}", layer.chosen, layer.experts));
    }
    if (layer.experts % layer.devices != 0)
        throw ModelError(fmt::format("{} experts are not divisible by ep {}", layer.experts, layer.devices));
    if (routing.capacity_factor > 0.0) return routing.capacity_factor;
    if (layer.devices == 1) return 1.0;
    switch (routing.imbalance) {
        case Imbalance::uniform:
            return uniform_load(layer);
        case Imbalance::zipf:
            return zipf_load(routing, layer);
        case Imbalance::balanced:
        case Imbalance::in_turn:
            break;
    }
    return 1.0;
}

std::vector<double> popularity(const Routing& routing, const RoutedLayer& layer) {
    const auto experts = static_cast<std::size_t>(layer.experts);
    double choices = static_cast<double>(layer.chosen);
    if (routing.imbalance != Imbalance::zipf)
        return std::vector<double>(experts, std::min(1.0, choices / static_cast<double>(layer.experts)));
    std::vector<double> share(experts);
    for (std::size_t i = 0; i < share.size(); ++i)
        share[i] = std::pow(static_cast<double>(i + 1), -routing.skew);
    // Suffix sums, accumulated from the smallest value so that none is lost in rounding.
    std::vector<double> rest(share.size());
    std::partial_sum(share.rbegin(), share.rend(), rest.rbegin());
    for (std::size_t i = 0; i < share.size(); ++i) {
        // Sorted: once a share is below 1, all later ones are. The remaining choices fall on the other
        // experts.
        share[i] = std::min(1.0, choices * share[i] / rest[i]);
        choices -= share[i];
    }
    return share;
}

double touched_share(std::int64_t experts, std::int64_t chosen, double tokens) {
    DSE_EXPECT(experts >= 1 && chosen >= 0 && tokens >= 0.0);
    const double left_out = 1.0 - static_cast<double>(chosen) / static_cast<double>(experts);
    return 1.0 - std::pow(std::max(0.0, left_out), tokens);
}

double touched_share(const Routing& routing, const RoutedLayer& layer, double tokens) {
    if (routing.imbalance != Imbalance::zipf) return touched_share(layer.experts, layer.chosen, tokens);
    double left_out = 0.0;
    for (const double share : popularity(routing, layer)) left_out += std::pow(1.0 - share, tokens);
    return 1.0 - left_out / static_cast<double>(layer.experts);
}

}  // namespace dse::graph
