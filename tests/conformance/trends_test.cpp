#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "conformance/validated.hpp"
#include "dse/metrics/rank_correlation.hpp"

/// What a choice between machines or layouts rests on: not the times, but their order.
namespace dse::conformance {
namespace {

using eval::Comparison;

/// Numbers that are predicted and measured of the same things.
struct Trend {
    std::vector<double> predicted;
    std::vector<double> measured;

    void add(double one, double other) {
        predicted.push_back(one);
        measured.push_back(other);
    }
    [[nodiscard]] double correlation() const { return metrics::rank_correlation(predicted, measured); }
};

bool counts(const Comparison& comparison) {
    return comparison.is_compared() && !comparison.is_memory() && comparison.row.weight > 0.0;
}

/// Tokens a second and device, of a step of so many seconds.
double rate(const Comparison& comparison, double seconds) {
    const eval::TruthRow& row = comparison.row;
    return row.global_batch.value() * row.sequence.value() / (row.gpus.value() * seconds);
}

/// Of two chips whose mixtures of experts are predicted too fast, and of rows that hardly differ, less holds.
TEST_F(ConformanceData, configurations_of_a_chip_keep_their_order) {
    std::map<std::string, Trend> chips;
    for (const Comparison& comparison : compare(path("truth/ground_truth.csv"))) {
        if (counts(comparison)) chips[comparison.row.chip].add(comparison.predicted, comparison.measured);
    }
    std::size_t held = 0;
    for (const auto& [chip, trend] : chips) {
        if (trend.predicted.size() < 6) continue;
        fmt::print("  {:<40} {:>3} steps, rank correlation {:.2f}\n", chip, trend.predicted.size(),
                   trend.correlation());
        EXPECT_GT(trend.correlation(), chip == "B200-SXM" ? 0.8 : 0.89) << chip;
        ++held;
    }
    EXPECT_GE(held, 12U);
}

/// Tokens a second and device, the mean of each chip and number format.
TEST_F(ConformanceData, chips_keep_their_order_for_a_model) {
    std::map<std::string, std::map<std::pair<std::string, std::string>, std::vector<Comparison>>> models;
    for (const Comparison& comparison : compare(path("truth/ground_truth.csv"))) {
        const eval::TruthRow& row = comparison.row;
        if (counts(comparison))
            models[row.model][{row.chip, row.precision.substr(0, 4)}].push_back(comparison);
    }
    std::map<std::string, double> correlations;
    for (const auto& [model, machines] : models) {
        if (machines.size() < 6) continue;
        Trend trend;
        for (const auto& [machine, steps] : machines) {
            double predicted = 0.0;
            double measured = 0.0;
            for (const Comparison& step : steps) {
                predicted += rate(step, step.predicted) / static_cast<double>(steps.size());
                measured += rate(step, step.measured) / static_cast<double>(steps.size());
            }
            trend.add(predicted, measured);
        }
        correlations[model] = trend.correlation();
        fmt::print("  {:<20} on {:>2} chips and formats, rank correlation {:.2f}\n", model, machines.size(),
                   correlations[model]);
    }
    // Of 405B two of nine are TPU v7x, of which nothing was fitted: its step in fp8 is predicted 28 % too
    // short, which puts it three places too high.
    const std::map<std::string, double> least{
        {"llama3-8b", 0.95}, {"llama3-70b", 0.95}, {"llama3.1-405b", 0.84}};
    for (const auto& [dense, correlation] : least) {
        ASSERT_TRUE(correlations.contains(dense)) << dense;
        EXPECT_GT(correlations[dense], correlation) << dense;
    }
    EXPECT_GT(correlations["deepseek-v3-671b"], 0.7);
}

}  // namespace
}  // namespace dse::conformance
