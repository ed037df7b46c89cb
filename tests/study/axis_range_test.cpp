#include "study/axis_range.hpp"

#include <gtest/gtest.h>

namespace dse::study {
namespace {

using space::AxisValues;

AxisRange of(AxisValues values) {
    space::Axis axis;
    axis.values = std::move(values);
    return range_of(axis);
}

TEST(AxisRange, LooksAtAllValuesOfAList) {
    const AxisRange range = of(AxisValues::list({3.0, -1.0, 8.0, 2.0}));
    EXPECT_EQ(range.least, -1.0);
    EXPECT_EQ(range.most, 8.0);
    EXPECT_EQ(of(AxisValues::list({5.0})).most, 5.0);
}

/// 10^15 values, of which the ends are enough, ascending or not.
TEST(AxisRange, LooksAtTheEndsOfASequence) {
    constexpr std::uint64_t many = 1'000'000'000'000'000;
    EXPECT_EQ(of(AxisValues::sequence(1.0, 2.0, many)).least, 1.0);
    EXPECT_EQ(of(AxisValues::sequence(1.0, 2.0, many)).most, 1.0 + 2.0 * (many - 1));
    EXPECT_EQ(of(AxisValues::sequence(9.0, -3.0, 4)).least, 0.0);
    EXPECT_EQ(of(AxisValues::sequence(9.0, -3.0, 4)).most, 9.0);
    EXPECT_EQ(of(AxisValues::sequence(4.0, 1.0, 1)).most, 4.0);
}

TEST(AxisRange, IsThatOfAContinuum) {
    space::Axis axis;
    axis.continuum = space::Continuum{2.0, 7.0, space::Continuum::Scale::linear};
    EXPECT_EQ(range_of(axis).least, 2.0);
    EXPECT_EQ(range_of(axis).most, 7.0);
}

}  // namespace
}  // namespace dse::study
