#pragma once

#include <span>
#include <vector>

#include "dse/synth/small_graph.hpp"

namespace dse::synth {

/// Pearson correlation of the logarithms of times with what a linear surrogate, trained on other graphs, says
/// of them. Where the samples are as good as real graphs, all three are alike.
struct SurrogateScores {
    double real_on_real{0};  ///< trained on half of the real graphs, tested on the other half, both ways
    double samples_on_real{0};
    double real_on_samples{0};
};

/// Graphs with the simulated time of each.
struct TimedGraphs {
    std::span<const SmallGraph> graphs;
    std::span<const double> seconds;  ///< > 0
};

/// \pre both have at least four graphs; both share a vocabulary
SurrogateScores score_surrogates(const TimedGraphs& real, const TimedGraphs& samples,
                                 const Vocabulary& labels);

/// What the surrogate sees of a graph: logarithms of total FLOPs, bytes, bytes communicated by role, of
/// executions, and layers.
std::vector<double> surrogate_features(const SmallGraph& graph, const Vocabulary& labels);

}  // namespace dse::synth
