#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "dse/synth/small_graph.hpp"

namespace dse::synth {

/// How far the distributions of two sets of graphs are apart: 0 where they are equal.
struct Statistics {
    double layers_w1{0};      ///< 1-Wasserstein distance of the number of layers
    double nodes_w1{0};       ///< likewise of nodes
    double edges_w1{0};       ///< likewise of edges
    double in_degree_w1{0};   ///< likewise of parents of a node, over all nodes
    double layer_size_w1{0};  ///< likewise of nodes of a layer, over all layers
    double operator_tv{0};    ///< total variation of operators, over all nodes
    double edge_tv{0};        ///< total variation of pairs of operators, over all edges
};

/// Names and values, in the order above.
struct NamedStatistic {
    std::string_view name;
    double value;
};
std::vector<NamedStatistic> named(const Statistics& statistics);

/// \pre neither is empty; both share a vocabulary
Statistics compare(std::span<const SmallGraph> a, std::span<const SmallGraph> b);

/// The integral of the distance between the distribution functions. \pre neither is empty
double wasserstein(std::vector<double> a, std::vector<double> b);

}  // namespace dse::synth
