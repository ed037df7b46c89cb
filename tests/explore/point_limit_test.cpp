#include "explore/point_limit.hpp"

#include <gtest/gtest.h>

#include "explore/sample_search.hpp"

namespace dse::explore::test {
namespace {

using results::Interval;
using results::IntervalSet;

/// Of 17 ids of y for each x, those with y <= x are points.
TEST(PointLimit, LeavesTheFirstPointsThatAreNotCovered) {
    const auto sampler = space::make_sampler(plane("require: [y <= x]\n"));
    // x = −4 has one point (id 0), x = −3.5 has two (17 and 18), x = −3 has three (34, 35, 36).
    const IntervalSet none = limited(*sampler, {}, 3);
    EXPECT_EQ(none.gaps(289).intervals(), (std::vector<Interval>{{0, 19}}));
    const IntervalSet some = limited(*sampler, IntervalSet{{{0, 18}}}, 3);
    EXPECT_EQ(some.gaps(289).intervals(), (std::vector<Interval>{{18, 36}}));
}

TEST(PointLimit, OfAllPointsCoversNothing) {
    const auto sampler = space::make_sampler(plane());
    EXPECT_EQ(limited(*sampler, {}, 289).count(), 0U);
    EXPECT_EQ(limited(*sampler, IntervalSet{{{3, 5}}}, 1000).count(), 2U);
}

}  // namespace
}  // namespace dse::explore::test
