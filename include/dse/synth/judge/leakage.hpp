#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dse/synth/small_graph.hpp"

namespace dse::synth {

/// Colours of a graph's nodes after rounds of Weisfeiler and Lehman: what a node is, its sizes in bins and
/// how often it is executed; then that and the colours of its parents and of its children, each round again.
/// Equal colours after k rounds, equal neighbourhoods up to k edges away (and else a collision of hashes).
struct Colours {
    static constexpr std::size_t rounds = 2;
    std::vector<std::uint64_t> all;             ///< of all rounds, sorted
    std::vector<std::uint64_t> neighbourhoods;  ///< by node, after one round
    std::vector<std::uint64_t> alone;           ///< by node, before any
    std::vector<std::uint64_t> kinds;           ///< by node, its label alone
};
Colours colours_of(const SmallGraph& graph);

/// Of two graphs: colours that both have, as a share of those that either has; 1 for equal graphs.
double similarity(const Colours& a, const Colours& b);

/// What stands in one graph alone, and in samples or the family too.
struct Exposure {
    std::size_t graph{0};    ///< of training
    std::size_t nodes{0};    ///< of it, whose neighbourhood no other training graph has, and some sample has
    std::size_t secrets{0};  ///< of a label, or a label and size, that no other has
    std::size_t samples{0};  ///< that have one of these
    std::uint32_t example{0};  ///< one of these nodes, a secret where there is one
};

/// What samples tell of the graphs that they were learned from.
struct Leakage {
    double nearest_mean{0};  ///< over samples, similarity to the most similar training graph
    std::size_t copies{0};   ///< samples that equal a training graph
    /// The same as nearest_mean of graphs that were held back, where there are some: what a graph of the
    /// family has in common with others that it was not made from.
    std::optional<double> held_back_nearest_mean;
    std::size_t rare{0};    ///< neighbourhoods that one training graph has, and no other
    std::size_t reused{0};  ///< of those, that some sample has
    /// Probability that a training graph is more similar to its nearest sample than a held-back one is: 0.5
    /// where nobody can tell them apart.
    std::optional<double> membership_auc;
    std::vector<Exposure> exposures;  ///< those with secrets first, then the most nodes
};

/// \param training, held_back, samples  share a vocabulary; held_back may be empty, the others not
/// \param known  labels below this number stand in the family: whoever reads its file finds them there
Leakage find_leakage(std::span<const SmallGraph> training, std::span<const SmallGraph> held_back,
                     std::span<const SmallGraph> samples, std::size_t known);

}  // namespace dse::synth
