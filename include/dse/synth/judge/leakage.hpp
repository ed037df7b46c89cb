#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dse/synth/small_graph.hpp"

namespace dse::synth {

/// Colours of a graph's nodes after rounds of Weisfeiler-Lehman refinement. The initial colour is the label,
/// the binned sizes and the repeats of a node; each round adds the colours of its parents and children. Equal
/// colours after k rounds mean equal neighbourhoods up to k edges away (up to hash collisions).
struct Colours {
    static constexpr std::size_t rounds = 2;
    std::vector<std::uint64_t> all;             ///< of all rounds, sorted
    std::vector<std::uint64_t> neighbourhoods;  ///< by node, after one round
    std::vector<std::uint64_t> alone;           ///< by node, before the first round
    std::vector<std::uint64_t> kinds;           ///< by node, of the label only
};
Colours colours_of(const SmallGraph& graph);

/// Colours that both graphs have, as a share of those that either has; 1 for equal graphs.
double similarity(const Colours& a, const Colours& b);

/// What a single training graph has in common with samples or the family, and with no other training graph.
struct Exposure {
    std::size_t graph{0};    ///< index of the training graph
    std::size_t nodes{0};    ///< its nodes whose neighbourhood occurs in some sample, but in no other
                             ///< training graph
    std::size_t secrets{0};  ///< its nodes whose label, or label and size, occurs in no other training graph
    std::size_t samples{0};  ///< samples that contain one of these
    std::uint32_t example{0};  ///< one of these nodes; a secret if there is one
};

/// What samples reveal about the graphs that the model was learned from.
struct Leakage {
    double nearest_mean{0};  ///< similarity to the most similar training graph, averaged over samples
    std::size_t copies{0};   ///< samples that equal a training graph
    /// nearest_mean of the held-back graphs, if there are any: the similarity that graphs of the family have
    /// without being derived from each other.
    std::optional<double> held_back_nearest_mean;
    std::size_t rare{0};    ///< neighbourhoods that occur in exactly one training graph
    std::size_t reused{0};  ///< those of them that occur in some sample
    /// Probability that a training graph is more similar to its nearest sample than a held-back graph is; 0.5
    /// means that they are indistinguishable.
    std::optional<double> membership_auc;
    std::vector<Exposure> exposures;  ///< those with secrets first, then by number of nodes
};

/// \param training, held_back, samples  share a vocabulary; only held_back may be empty
/// \param known  labels below this number are in the family's file, where its readers find them
Leakage find_leakage(std::span<const SmallGraph> training, std::span<const SmallGraph> held_back,
                     std::span<const SmallGraph> samples, std::size_t known);

}  // namespace dse::synth
