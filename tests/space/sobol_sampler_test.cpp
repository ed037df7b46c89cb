#include "space/sobol_sampler.hpp"

#include <gtest/gtest.h>

#include "sample.hpp"

namespace dse::space {
namespace {

/// Sobol's sequence: of 2^k points each half, quarter, … of each axis holds the same number; so does each
/// cell of the elementary partitions of two axes (first two dimensions: a (0, m, 2)-net up to the skipped
/// origin).
TEST(SobolSampler, FillsEvenly) {
    const auto space = testing::compile(
        "axes:\n  outer.efficiency: {from: 0.0, to: 1.0}\n  inner.efficiency: {from: 0.0, to: 1.0}\n"
        "search: {method: sobol, budget: 1024, seed: 11}\n");
    const auto sampler = make_sampler(space);
    std::vector<int> cells(64, 0);
    for (const Point& point : testing::all_points(*sampler, 0, 1024)) {
        const auto x = static_cast<std::size_t>(point.values[0] * 8);
        const auto y = static_cast<std::size_t>(point.values[1] * 8);
        ++cells[8 * x + y];
    }
    for (const int count : cells) EXPECT_NEAR(count, 16, 1);
}

}  // namespace
}  // namespace dse::space
