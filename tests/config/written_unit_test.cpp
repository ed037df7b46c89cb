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
    EXPECT_EQ(format_in_unit(43200, "h", dimension_of(Seconds{})), "12 h");
    EXPECT_EQ(format_in_unit(5e10, "furlongs", rate), "50 GB/s") << "SI, because the unit is unknown";
    EXPECT_EQ(format_in_unit(std::numeric_limits<double>::quiet_NaN(), "Gbps", rate), "nan B/s");
}

TEST(WrittenUnit, HasASizeInItsDimensionAlone) {
    EXPECT_EQ(size_of_unit("Gbps", rate), 1.25e8);
    EXPECT_EQ(size_of_unit("GiB", dimension_of(Bytes{})), 1073741824.0);
    EXPECT_EQ(size_of_unit("GiB", rate), std::nullopt);
    EXPECT_EQ(size_of_unit("furlongs", rate), std::nullopt);
}

TEST(WrittenUnit, IsUsualIfQuantitiesAreFormattedInIt) {
    for (const char* unit : {"B/s", "GB/s", "TB/s"}) EXPECT_TRUE(is_usual_unit(unit, rate)) << unit;
    for (const char* unit : {"Gbps", "GiB/s", "GB", ""}) EXPECT_FALSE(is_usual_unit(unit, rate)) << unit;
    for (const char* unit : {"s", "ms", "us"})
        EXPECT_TRUE(is_usual_unit(unit, dimension_of(Seconds{}))) << unit;
    EXPECT_FALSE(is_usual_unit("h", dimension_of(Seconds{})));
    EXPECT_FALSE(is_usual_unit("GB", dimension_of(Bytes{}))) << "GiB is";
}

}  // namespace
}  // namespace dse::config
