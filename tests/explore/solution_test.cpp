#include "explore/solution.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "explore/sample_lattice.hpp"

namespace dse::explore::test {
namespace {

TEST(Solution, IsBetterWhenFeasibleOrNearerToItOrDominating) {
    const double unknown = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(is_better(solution({1, 2}), solution({1, 3})));
    EXPECT_FALSE(is_better(solution({1, 3}), solution({2, 2})));
    EXPECT_FALSE(is_better(solution({1, 3}), solution({1, 3})));
    EXPECT_TRUE(is_better(solution({9, 9}), solution({1, 1}, 0.1)));
    EXPECT_TRUE(is_better(solution({9, 9}, 0.1), solution({1, 1}, 0.2)));
    EXPECT_TRUE(is_better(solution({9, 9}, 0.2), solution({1, 1}, unknown)));
    EXPECT_FALSE(is_better(solution({1, 1}, unknown), solution({9, 9}, unknown)));
}

}  // namespace
}  // namespace dse::explore::test
