#include "app/human.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace dse::app {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(HumanSeconds, TakesTheUnitThatLeavesANumberOfAtLeastOne) {
    EXPECT_EQ(human_seconds(4.3214), "4.321 s");
    EXPECT_EQ(human_seconds(0.0567), "56.7 ms");
    EXPECT_EQ(human_seconds(12.34e-6), "12.34 µs");
    EXPECT_EQ(human_seconds(0.0), "0 s");
    EXPECT_EQ(human_seconds(nan), "–");
}

TEST(ShareCell, IsEmptyWithoutAValue) {
    EXPECT_EQ(human_share(0.4116), "41.2 %");
    EXPECT_EQ(human_share(nan), "–");
    EXPECT_EQ(share_cell(0.4116), "41.2 %");
    EXPECT_EQ(signed_share_cell(0.4116), "+41.2 %");
    EXPECT_EQ(signed_share_cell(-0.05), "-5.0 %");
    EXPECT_EQ(share_cell(nan), "");
    EXPECT_EQ(signed_share_cell(std::numeric_limits<double>::infinity()), "");
}

TEST(HumanDuration, HasTwoUnits) {
    EXPECT_EQ(human_duration(45.2), "45 s");
    EXPECT_EQ(human_duration(200.0), "3 min 20 s");
    EXPECT_EQ(human_duration(2 * 3600.0 + 5 * 60.0), "2 h 5 min");
    EXPECT_EQ(human_duration(3 * 86400.0), "3 days");
    EXPECT_EQ(human_duration(1200 * 365.0 * 86400.0), "1,200 years");
    EXPECT_EQ(human_duration(nan), "?");
}

TEST(Human, SlowRatesHaveDigits) {
    EXPECT_EQ(human_rate(1234.4), "1,234/s");
    EXPECT_EQ(human_rate(3.21), "3.2/s");
    EXPECT_EQ(human_rate(0.25), human_duration(4.0) + " each");
    EXPECT_EQ(human_rate(0.0), "0/s");
}

TEST(HumanDuration, CarriesWhatRoundsUp) {
    // 119.7 s is 1 min 59.7 s, which is not "1 min 60 s".
    EXPECT_EQ(human_duration(119.7), "2 min 0 s");
}

TEST(HumanBytes, CountsIn1024s) {
    EXPECT_EQ(human_bytes(81559.0 * 1048576.0), "79.65 GiB");
    EXPECT_EQ(human_bytes(64.0 * 1048576.0), "64 MiB");
    EXPECT_EQ(human_bytes(0.0), "0 B");
    EXPECT_EQ(human_bytes(nan), "–");
}

TEST(HumanName, IsCutInItsMiddle) {
    EXPECT_EQ(human_name("dot.3", 12), "dot.3");
    EXPECT_EQ(human_name("twelve chars", 12), "twelve chars");
    // 12 characters: 4 of the beginning, the mark, 7 of the end.
    EXPECT_EQ(human_name("jit(step)/while/body/add", 12), "jit(…ody/add");
    EXPECT_EQ(human_name("ééééééééé", 6), "éé…ééé") << "characters, not bytes";
    EXPECT_EQ(human_name("a\x1b[2J", 60), "a\\x1B[2J") << "a terminal is not told what to do";
}

TEST(HumanValue, GoesByUnit) {
    EXPECT_EQ(human_value(0.412, "1"), "41.2 %");
    EXPECT_EQ(human_value(1.5, "s"), "1.5 s");
    EXPECT_EQ(human_value(123456.0, "J"), "123.5 kJ");
    EXPECT_EQ(human_value(0.2176, "J"), "0.2176 J");
    EXPECT_EQ(human_value(0.0, "W"), "0 W");
    EXPECT_EQ(human_value(42'320.0, "W"), "42.32 kW");
    EXPECT_EQ(human_value(nan, "J"), "–");
}

TEST(Counted, HasItsPlural) {
    EXPECT_EQ(counted(1, "point"), "1 point");
    EXPECT_EQ(counted(0, "point"), "0 points");
    EXPECT_EQ(counted(1234, "row"), "1,234 rows");
}

}  // namespace
}  // namespace dse::app
