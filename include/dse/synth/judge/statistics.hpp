#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "dse/synth/small_graph.hpp"

namespace dse::synth {

/// Distances between the distributions of two sets of graphs: 0 if they are equal.
struct Statistics {
    double layers_w1{0};      ///< 1-Wasserstein distance of the number of layers
    double nodes_w1{0};       ///< the same, of nodes
    double edges_w1{0};       ///< the same, of edges
    double in_degree_w1{0};   ///< the same, of parents per node, over all nodes
    double layer_size_w1{0};  ///< the same, of nodes per layer, over all layers
    double operator_tv{0};    ///< total variation of operators, over all nodes
    double edge_tv{0};        ///< total variation of pairs of operators, over all edges
};

/// Names and values, in the order above.
struct NamedStatistic {
    std::string_view name;
    double value;
};
std::vector<NamedStatistic> named(const Statistics& statistics);

/// \pre neither is empty; both use the same vocabulary
Statistics compare(std::span<const SmallGraph> a, std::span<const SmallGraph> b);

/// 1-Wasserstein distance: the integral of the distance between the distribution functions.
/// \pre neither is empty
double wasserstein(std::vector<double> a, std::vector<double> b);

}  // namespace dse::synth
