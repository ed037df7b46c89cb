#include "dse/config/bare_number.hpp"

#include <gtest/gtest.h>

namespace dse::config {
namespace {

TEST(BareNumberNote, TellsHowANumberWithoutAUnitIsRead) {
    EXPECT_EQ(bare_number_note("bandwidth", 400, dimension_of(BytesPerSecond{})),
              "'bandwidth' is in B/s, so that 400 means 400 B/s (write '400 B/s' or '400 GB/s')");
    EXPECT_EQ(bare_number_note("ttft_p99", 200, dimension_of(Seconds{})),
              "'ttft_p99' is in s, so that 200 means 200 s (write '200 s' or '200 ms')");
    EXPECT_NE(bare_number_note("memory_peak", 70, dimension_of(Bytes{})), "");
    EXPECT_NE(bare_number_note("peak.bf16", 989, dimension_of(FlopPerSecond{})), "");
}

/// What it proposes to write can be read.
TEST(BareNumberNote, ProposesUnitsThatExist) {
    std::string error;
    EXPECT_TRUE(parse_quantity("400 GB/s", dimension_of(BytesPerSecond{}), error)) << error;
    EXPECT_TRUE(parse_quantity("400 TFLOP/s", dimension_of(FlopPerSecond{}), error)) << error;
    EXPECT_TRUE(parse_quantity("400 TFLOP", dimension_of(Flop{}), error)) << error;
    EXPECT_TRUE(parse_quantity("400 FLOP/s", dimension_of(FlopPerSecond{}), error)) << error;
}

TEST(BareNumberNote, IsSilentAboutPlausibleNumbers) {
    EXPECT_EQ(bare_number_note("bandwidth", 4e11, dimension_of(BytesPerSecond{})), "");
    EXPECT_EQ(bare_number_note("memory_peak", 0, dimension_of(Bytes{})), "");
    EXPECT_EQ(bare_number_note("iteration_time", 9.5, dimension_of(Seconds{})), "");
    EXPECT_EQ(bare_number_note("iteration_time", 1e-9, dimension_of(Seconds{})), "");
    EXPECT_EQ(bare_number_note("tp", 4, Dimension{}), "");
    EXPECT_EQ(bare_number_note("cost", 4, dimension_of(Dollars{})), "");
}

}  // namespace
}  // namespace dse::config
