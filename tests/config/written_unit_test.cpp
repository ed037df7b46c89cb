#include "dse/config/written_unit.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace dse::config {
namespace {

constexpr Dimension rate = dimension_of(BytesPerSecond{});

TEST(WrittenUnit, IsWhatFollowsTheNumber) {
    EXPECT_EQ(written_unit("400 Gbps", rate), "Gbps");
    EXPECT_EQ(written_unit("  1.5e2GB/s ", rate), "GB/s");
    EXPECT_EQ(written_unit("80 GiB", rate), "") << "not a rate";
    EXPECT_EQ(written_unit("fast", rate), "");
}

TEST(DimensionOfUnit, IsFoundByItsName) {
    EXPECT_EQ(dimension_of_unit("B/s"), rate);
    EXPECT_EQ(dimension_of_unit("USD/s"), dimension_of(DollarsPerSecond{}));
    EXPECT_EQ(written_unit("4 1/s", dimension_of_unit("1/s")), "1/s");
    EXPECT_EQ(written_unit("2 req/s", dimension_of_unit("1/s")), "req/s");
    EXPECT_EQ(format_in_unit(2.0, "/s", dimension_of_unit("1/s")), "2 /s");
    EXPECT_EQ(dimension_of_unit("furlongs"), Dimension{});
}

TEST(WrittenUnit, ShowsValuesAsTheyWereWritten) {
    EXPECT_EQ(format_in_unit(5e10, "Gbps", rate), "400 Gbps");
    EXPECT_EQ(format_in_unit(1e11, "Gbps", rate), "800 Gbps");
    EXPECT_EQ(format_in_unit(4.5e11, "GB/s", rate), "450 GB/s");
    EXPECT_EQ(format_in_unit(5e-6, "us", dimension_of(Seconds{})), "5 us");
    EXPECT_EQ(format_in_unit(5e10, "furlongs", rate), "50 GB/s") << "SI, because the unit is unknown";
    EXPECT_EQ(format_in_unit(std::numeric_limits<double>::quiet_NaN(), "Gbps", rate), "nan B/s");
}

}  // namespace
}  // namespace dse::config
