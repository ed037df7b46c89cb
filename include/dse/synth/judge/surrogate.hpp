#pragma once

#include <span>
#include <vector>

#include "dse/synth/small_graph.hpp"

namespace dse::synth {

/// Pearson correlation between the logarithms of times and the predictions of a linear surrogate trained on
/// other graphs. If samples are as good as real graphs, all three are similar.
struct SurrogateScores {
    double real_on_real{0};  ///< trained on half of the real graphs and tested on the other half, both ways
    double samples_on_real{0};
    double real_on_samples{0};
};

/// Graphs with their simulated times.
struct TimedGraphs {
    std::span<const SmallGraph> graphs;
    std::span<const double> seconds;  ///< > 0
};

/// \pre both have at least four graphs and the same vocabulary
SurrogateScores score_surrogates(const TimedGraphs& real, const TimedGraphs& samples,
                                 const Vocabulary& labels);

/// Features of a graph: logarithms of total FLOPs, bytes, communicated bytes by role, executions, and layers.
std::vector<double> surrogate_features(const SmallGraph& graph, const Vocabulary& labels);

}  // namespace dse::synth
