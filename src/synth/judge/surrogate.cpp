#include "dse/synth/judge/surrogate.hpp"

#include <array>
#include <cmath>

#include "dse/base/check.hpp"
#include "synth/least_squares.hpp"

namespace dse::synth {
namespace {

constexpr std::size_t role_count = 5;

using Rows = std::vector<std::vector<double>>;

struct Examples {
    Rows rows;
    std::vector<double> logs;
};

Examples examples_of(const TimedGraphs& timed, const Vocabulary& labels) {
    Examples examples;
    for (std::size_t g = 0; g < timed.graphs.size(); ++g) {
        examples.rows.push_back(surrogate_features(timed.graphs[g], labels));
        examples.logs.push_back(std::log2(timed.seconds[g]));
    }
    return examples;
}

/// Every other example, starting with `first`.
Examples half(const Examples& all, std::size_t first) {
    Examples part;
    for (std::size_t i = first; i < all.rows.size(); i += 2) {
        part.rows.push_back(all.rows[i]);
        part.logs.push_back(all.logs[i]);
    }
    return part;
}

std::vector<double> predictions(const Examples& training, const Examples& test) {
    constexpr double penalty = 1.0;
    const LinearFit fit = least_squares(training.rows, training.logs, penalty);
    std::vector<double> said;
    for (const auto& row : test.rows) said.push_back(fit.at(row));
    return said;
}

double score(const Examples& training, const Examples& test) {
    return pearson(predictions(training, test), test.logs);
}

}  // namespace

std::vector<double> surrogate_features(const SmallGraph& graph, const Vocabulary& labels) {
    double flops = 0.0;
    double bytes = 0.0;
    double executions = 0.0;
    std::array<double, role_count> messages{};
    const std::vector<std::uint32_t> layer = graph.layer_of();
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const auto times = static_cast<double>(graph.repeats[layer[n]]);
        const Volumes& volumes = graph.nodes[n].volumes;
        flops += times * volumes[static_cast<std::size_t>(Quantity::flops)];
        bytes += times * volumes[static_cast<std::size_t>(Quantity::bytes)];
        messages[static_cast<std::size_t>(labels[graph.nodes[n].label].role)] +=
            times * volumes[static_cast<std::size_t>(Quantity::message)];
        executions += times;
    }
    std::vector<double> features{std::log2(1.0 + flops), std::log2(1.0 + bytes), std::log2(executions),
                                 std::log2(static_cast<double>(graph.layers()))};
    for (const double message : messages) features.push_back(std::log2(1.0 + message));
    return features;
}

SurrogateScores score_surrogates(const TimedGraphs& real, const TimedGraphs& samples,
                                 const Vocabulary& labels) {
    DSE_EXPECT(real.graphs.size() >= 4 && samples.graphs.size() >= 4);
    const Examples reals = examples_of(real, labels);
    const Examples drawn = examples_of(samples, labels);
    const Examples even = half(reals, 0);
    const Examples odd = half(reals, 1);
    return {(score(even, odd) + score(odd, even)) / 2.0, score(drawn, reals), score(reals, drawn)};
}

}  // namespace dse::synth
