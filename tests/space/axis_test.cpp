#include "dse/space/axis.hpp"

#include <gtest/gtest.h>

namespace dse::space {
namespace {

TEST(AxisValues, ListsAndSequences) {
    EXPECT_EQ(AxisValues::list({3, 1}).count(), 2U);
    EXPECT_EQ(AxisValues::list({3, 1})[1], 1.0);
    const AxisValues many = AxisValues::sequence(5, 2, 1'000'000'000'000);
    EXPECT_EQ(many.count(), 1'000'000'000'000U);
    EXPECT_EQ(many[999'999'999'999], 5.0 + 2.0 * 999'999'999'999.0);
}

TEST(Axis, ShowsQuantitiesInTheUnitOfTheSweep) {
    Axis axis;
    axis.info.type = config::FieldType::quantity;
    axis.info.dimension = config::dimension_of(BytesPerSecond{});
    EXPECT_EQ(axis.format(5e10), "50 GB/s");
    axis.unit = "Gbps";
    EXPECT_EQ(axis.format(5e10), "400 Gbps");
}

TEST(Continuum, StaysInItsRange) {
    const Continuum linear{2.0, 6.0, Continuum::Scale::linear};
    EXPECT_EQ(linear.at(0.0), 2.0);
    EXPECT_EQ(linear.at(0.25), 3.0);
    EXPECT_EQ(linear.at(1.0), 6.0);
    const Continuum log{1.0, 100.0, Continuum::Scale::logarithmic};
    EXPECT_NEAR(log.at(0.5), 10.0, 1e-12);
    EXPECT_EQ(log.at(1.0), 100.0);
}

}  // namespace
}  // namespace dse::space
