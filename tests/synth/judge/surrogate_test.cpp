#include "dse/synth/judge/surrogate.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "synth/graphs.hpp"

namespace dse::synth {
namespace {

TEST(Surrogate, SeesTotalsOverAllExecutions) {
    Vocabulary labels;
    const SmallGraph graph = test::stacked(labels, 8, 4, 1000);
    const std::vector<double> features = surrogate_features(graph, labels);
    // FLOPs: 1,000 + 4 × (100,000 + 1,000) + 200,000; executions 1 + 4 × 3 + 1.
    EXPECT_NEAR(features[0], std::log2(1.0 + 605000.0), 1e-9);
    EXPECT_NEAR(features[2], std::log2(14.0), 1e-12);
    // Near groups communicate 4 × 1,000 bytes.
    EXPECT_NEAR(features[4 + static_cast<std::size_t>(Role::near)], std::log2(4001.0), 1e-12);
}

TEST(Surrogate, TimesThatFollowTheWorkAreFound) {
    Vocabulary labels;
    std::vector<SmallGraph> graphs;
    std::vector<double> seconds;
    for (int i = 0; i < 12; ++i) {
        graphs.push_back(test::stacked(labels, 8, 4 + i % 3, std::exp2(10 + i)));
        seconds.push_back(std::exp2(10 + i) * 1e-9);
    }
    const SurrogateScores scores = score_surrogates({graphs, seconds}, {graphs, seconds}, labels);
    EXPECT_GT(scores.real_on_real, 0.98);
    EXPECT_GT(scores.samples_on_real, 0.98);
    EXPECT_EQ(scores.samples_on_real, scores.real_on_samples);
}

}  // namespace
}  // namespace dse::synth
