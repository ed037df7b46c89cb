#include "dse/synth/judge/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include "dse/base/check.hpp"

namespace dse::synth {
namespace {

using Shares = std::map<std::uint32_t, double>;

struct Distributions {
    std::vector<double> layers, nodes, edges, in_degree, layer_size;
    Shares operators, pairs;
};

void normalise(Shares& shares) {
    double sum = 0.0;
    for (const auto& [key, count] : shares) sum += count;
    for (auto& [key, count] : shares) count /= sum;
}

Distributions distributions_of(std::span<const SmallGraph> graphs) {
    Distributions all;
    for (const SmallGraph& graph : graphs) {
        all.layers.push_back(static_cast<double>(graph.layers()));
        all.nodes.push_back(static_cast<double>(graph.nodes.size()));
        all.edges.push_back(static_cast<double>(graph.edges()));
        for (std::size_t layer = 0; layer < graph.layers(); ++layer)
            all.layer_size.push_back(static_cast<double>(graph.layer_size(layer)));
        for (const Node& node : graph.nodes) {
            all.in_degree.push_back(static_cast<double>(node.parents.size()));
            all.operators[node.label] += 1.0;
            for (const std::uint32_t parent : node.parents)
                all.pairs[(std::uint32_t{graph.nodes[parent].label} << 16U) | node.label] += 1.0;
        }
    }
    normalise(all.operators);
    normalise(all.pairs);
    return all;
}

double total_variation(const Shares& a, const Shares& b) {
    double sum = 0.0;
    for (const auto& [key, share] : a) {
        const auto found = b.find(key);
        sum += std::abs(share - (found == b.end() ? 0.0 : found->second));
    }
    for (const auto& [key, share] : b) sum += a.contains(key) ? 0.0 : share;
    return sum / 2.0;
}

}  // namespace

double wasserstein(std::vector<double> a, std::vector<double> b) {
    DSE_EXPECT(!a.empty() && !b.empty());
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    double distance = 0.0;
    double at = std::min(a.front(), b.front());
    for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
        const double next = j == b.size() || (i < a.size() && a[i] <= b[j]) ? a[i] : b[j];
        const double below_a = static_cast<double>(i) / static_cast<double>(a.size());
        const double below_b = static_cast<double>(j) / static_cast<double>(b.size());
        distance += std::abs(below_a - below_b) * (next - at);
        at = next;
        while (i < a.size() && a[i] == next) ++i;
        while (j < b.size() && b[j] == next) ++j;
    }
    return distance;
}

Statistics compare(std::span<const SmallGraph> a, std::span<const SmallGraph> b) {
    const Distributions one = distributions_of(a);
    const Distributions other = distributions_of(b);
    return {wasserstein(one.layers, other.layers),         wasserstein(one.nodes, other.nodes),
            wasserstein(one.edges, other.edges),           wasserstein(one.in_degree, other.in_degree),
            wasserstein(one.layer_size, other.layer_size), total_variation(one.operators, other.operators),
            total_variation(one.pairs, other.pairs)};
}

std::vector<NamedStatistic> named(const Statistics& statistics) {
    return {{"layers_w1", statistics.layers_w1},
            {"nodes_w1", statistics.nodes_w1},
            {"edges_w1", statistics.edges_w1},
            {"in_degree_w1", statistics.in_degree_w1},
            {"layer_size_w1", statistics.layer_size_w1},
            {"operator_tv", statistics.operator_tv},
            {"edge_tv", statistics.edge_tv}};
}

}  // namespace dse::synth
