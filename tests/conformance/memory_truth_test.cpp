#include <cmath>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "conformance/validated.hpp"

/// Published memory figures: measured peaks, what papers say that states and activations take, and runs that
/// are known to have fitted. Nothing is fitted to them.
namespace dse::conformance {
namespace {

using eval::Comparison;

class MemoryTruth : public ConformanceData {
  protected:
    void SetUp() override {
        ConformanceData::SetUp();
        if (!IsSkipped()) rows_ = compare(path("truth/memory_truth.csv"));
    }

    /// The compared rows of a metric, printed.
    std::vector<Comparison> rows(const std::string& metric) const {
        std::vector<Comparison> found;
        for (const Comparison& row : rows_) {
            if (row.row.metric != metric || !row.is_compared()) continue;
            found.push_back(row);
            fmt::print("  {} {:<34.34} {:<14} {:<24.24} {:6.1f} GiB of {:6.1f} GiB, {:+6.1f} %\n", row.row.id,
                       row.row.source, row.row.model, row.row.notes, row.predicted / 1073741824.0,
                       row.measured / 1073741824.0, 100 * row.error());
        }
        return found;
    }

    std::vector<Comparison> rows_;
};

/// torchtitan's readings are the most that PyTorch's allocator had reserved, fragments included.
TEST_F(MemoryTruth, MeasuredPeaks) {
    const auto measured = rows("peak_memory");
    ASSERT_EQ(measured.size(), 10U);
    double sum = 0;
    double bias = 0;
    for (const Comparison& row : measured) {
        sum += std::abs(row.error());
        bias += row.error();
        EXPECT_LT(std::abs(row.error()), 0.25) << row.row.id;
    }
    fmt::print("  mean {:.1f} %, bias {:+.1f} %\n", 10 * sum, 10 * bias);
    EXPECT_LT(sum / 10, 0.065);
}

TEST_F(MemoryTruth, RunsThatFittedFit) {
    const auto bounds = rows("peak_memory_upper_bound");
    ASSERT_EQ(bounds.size(), 4U);
    for (const Comparison& row : bounds) EXPECT_LE(row.predicted, row.measured) << row.row.id;
}

TEST_F(MemoryTruth, StatesOfTheFullestDevice) {
    const auto states = rows("params+grads+optimizer_per_gpu");
    ASSERT_EQ(states.size(), 2U);
    for (const Comparison& row : states) EXPECT_LT(std::abs(row.error()), 0.08) << row.row.id;
}

/// Formulas of layers alone, where a device has the head and the temporaries of one pass besides.
TEST_F(MemoryTruth, Activations) {
    const auto activations = rows("activation_per_gpu");
    ASSERT_EQ(activations.size(), 4U);
    for (const Comparison& row : activations) EXPECT_LT(std::abs(row.error()), 0.10) << row.row.id;
}

TEST_F(MemoryTruth, WhatIsNotPredictedSaysWhy) {
    std::map<std::string, std::size_t> reasons;
    for (const Comparison& row : rows_) {
        if (!row.is_compared()) ++reasons[row.why];
    }
    for (const auto& [why, count] : reasons) fmt::print("  not predicted: {:>3} rows, {}\n", count, why);
    EXPECT_EQ(rows_.size(), eval::read_truth(path("truth/memory_truth.csv")).size());
}

}  // namespace
}  // namespace dse::conformance
