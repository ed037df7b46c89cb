#include "space/axis_group.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "tiny_sweep.hpp"

namespace dse::space {
namespace {

using Indices = std::vector<std::size_t>;

const char* const three_groups = R"(axes:
  a: [1, 2, 3, 4]
  b: [1, 2, 3, 4]
  tp: [1, 2]
  c: [1, 2, 3, 4]
derive:
  d: c * 2
require:
  - a % 2 == 0
  - devices > 1
  - d > 4
  - c < a
  - b < 4
)";

TEST(AxisGroup, JoinsWhatStepsConnect) {
    const auto space = testing::compile(three_groups);
    ASSERT_TRUE(space);
    const std::vector<AxisGroup> groups = group_axes(*space);
    ASSERT_EQ(groups.size(), 3U);
    EXPECT_EQ(groups[0].axes, (Indices{0, 3}));  // c < a
    EXPECT_EQ(groups[1].axes, (Indices{1}));
    EXPECT_EQ(groups[2].axes, (Indices{2}));
    EXPECT_TRUE(groups[2].steps.empty());
    // In the order of the checks: a is even; then, with c: c < a, d, d > 4. The one on devices is in no
    // group.
    std::vector<std::string> steps;
    for (const std::size_t step : groups[0].steps) steps.push_back(space->describe(space->steps()[step]));
    EXPECT_EQ(steps, (std::vector<std::string>{"a % 2 == 0", "c < a", "d = c * 2", "d > 4"}));
}

TEST(AxisGroup, CountsFailuresWithEarlyCuts) {
    const auto space = testing::compile(three_groups);
    ASSERT_TRUE(space);
    const AxisGroup group = group_axes(*space)[0];
    const GroupCount counted = count_group(*space, group, std::vector<double>(space->width()), {1000, 1000});
    EXPECT_TRUE(counted.exact);
    // a = 1 and 3 fail at once (one failure each, for four values of c). a = 2: c = 2, 3, 4 fail c < a;
    // a = 4: c = 4 does. Of c = 1 (twice), 2, 3 with d = 2, 2, 4, 6 all but the last fail d > 4.
    EXPECT_EQ(counted.failures, (std::vector<std::uint64_t>{2, 4, 0, 3}));
}

TEST(AxisGroup, EstimatesBeyondTheLimit) {
    const auto space = testing::compile(three_groups);
    ASSERT_TRUE(space);
    const AxisGroup group = group_axes(*space)[0];
    const GroupCount counted = count_group(*space, group, std::vector<double>(space->width()), {5, 16000});
    EXPECT_FALSE(counted.exact);
    EXPECT_EQ(counted.draws, 16000U);
    // Shares of the 16 points: 8 for a, 4 for c < a, 3 for d > 4; standard deviation at most 63 draws.
    EXPECT_NEAR(static_cast<double>(counted.failures[0]), 8000.0, 5 * 63.3);
    EXPECT_NEAR(static_cast<double>(counted.failures[1]), 4000.0, 5 * 54.8);
    EXPECT_NEAR(static_cast<double>(counted.failures[3]), 3000.0, 5 * 49.4);
}

}  // namespace
}  // namespace dse::space
