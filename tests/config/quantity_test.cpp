#include "dse/config/quantity.hpp"

#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/soft_equal.hpp"

namespace dse::config {
namespace {

using testing::HasSubstr;

constexpr Dimension time_ = dimension_of(Seconds{});
constexpr Dimension data = dimension_of(Bytes{});
constexpr Dimension bandwidth = dimension_of(BytesPerSecond{});
constexpr Dimension work = dimension_of(Flop{});
constexpr Dimension rate = dimension_of(FlopPerSecond{});
constexpr Dimension power = dimension_of(Watts{});
constexpr Dimension energy = dimension_of(Joules{});
constexpr Dimension money = dimension_of(Dollars{});
constexpr Dimension price = dimension_of(DollarsPerSecond{});

struct Good {
    std::string text;
    Dimension dimension;
    double value;
};

TEST(Quantity, ValuesAreExactlyTheNearestDouble) {
    const std::vector<Good> cases{
        {"400 Gbps", bandwidth, 5e10},  // 400e9 / 8
        {"400 Gb/s", bandwidth, 5e10},
        {"400 Gbit/s", bandwidth, 5e10},
        {"400 GB/s", bandwidth, 4e11},
        {"400GBps", bandwidth, 4e11},
        {"3.35 TB/s", bandwidth, 3.35e12},
        {"100 Gib/s", bandwidth, 13421772800.0},  // 100 · 2^30 / 8
        {"80 GiB", data, 85899345920.0},          // 80 · 2^30
        {"80 GB", data, 8e10},
        {"1 EiB", data, 1152921504606846976.0},  // 2^60
        {"256 KiB", data, 262144.0},
        {"8 b", data, 1.0},
        {"0.5 B", data, 0.5},
        {"5 us", time_, 5e-6},  // 5 · 1e-6 would be 4.9999999999999996e-6
        {"5 \u00B5s", time_, 5e-6},
        {"5 \u03BCs", time_, 5e-6},
        {"1.7ns", time_, 1.7e-9},
        {"3 ps", time_, 3e-12},
        {"2 ms", time_, 2e-3},
        {"1.5 min", time_, 90.0},
        {"2 h", time_, 7200.0},
        {"1e-3 s", time_, 1e-3},
        {"-2 s", time_, -2.0},
        {"0 s", time_, 0.0},
        {"989 TFLOPS", rate, 9.89e14},
        {"989 TFLOP/s", rate, 9.89e14},
        {"624 TOPS", rate, 6.24e14},
        {"1.979 PFLOP/s", rate, 1.979e15},
        {"6 EFLOP", work, 6e18},
        {"700 W", power, 700.0},
        {"1.2 MW", power, 1.2e6},
        {"350 mW", power, 0.35},
        {"1 kWh", energy, 3.6e6},
        {"3 J", energy, 3.0},
        {"700 J/s", power, 700.0},
        {"30000 USD", money, 30000.0},
        {"164 kg", {0, 0, 0, 0, 0, 1}, 164e3},
        {"36 g/kWh", {0, 0, 0, -1, 0, 1}, 1e-5},
        {"7.2 USD/h", price, 0.002},
        {"0.1 USD/kWh", {0, 0, 0, -1, 1}, 0.1 / 3.6e6},
        {"4 pJ/b", dimension_of(JoulesPerByte{}), 3.2e-11},  // 32 pJ a byte
        {"0.5 pJ/FLOP", dimension_of(JoulesPerFlop{}), 5e-13},
        {"  16 \t GB / s ", bandwidth, 1.6e10},
    };
    for (const Good& good : cases) {
        std::string error;
        const auto value = parse_quantity(good.text, good.dimension, error);
        ASSERT_TRUE(value) << good.text << ": " << error;
        EXPECT_EQ(*value, good.value) << good.text;
    }
}

TEST(Quantity, GiIsNotGAndBitIsNotByte) {
    std::string error;
    const double bits = parse_quantity("400 Gb/s", bandwidth, error).value();
    const double bytes = parse_quantity("400 GB/s", bandwidth, error).value();
    EXPECT_EQ(bytes / bits, 8.0);
    const double decimal = parse_quantity("80 GB", data, error).value();
    const double binary = parse_quantity("80 GiB", data, error).value();
    EXPECT_EQ(binary / decimal, 1.073741824);
}

struct Wrong {
    std::string text;
    Dimension dimension;
    std::string message;
};

TEST(Quantity, WrongOnesSayWhatIsWrong) {
    const std::vector<Wrong> cases{
        {"80", data, "'80' has no unit (write it as in '80 GiB')"},
        {"400", bandwidth, "'400' has no unit (write it as in '400 Gbps')"},
        {"80 Gi", data, "unknown unit 'Gi'"},
        {"80 G", data, "unknown unit 'G'"},
        {"5 parsecs", time_, "unknown unit 'parsecs' (write it as in '5 us' or '2 s')"},
        {"80 GiB x", data, "unknown unit 'GiB x'"},
        {"80 GB/s", data, "'80 GB/s' is in B/s, but B is needed"},
        {"5 us", bandwidth, "'5 us' is in s, but B/s is needed"},
        {"989 TFLOP", rate, "is in FLOP, but FLOP/s is needed"},
        {"700 J", power, "is in J, but W is needed"},
        {"GB", data, "'GB' does not begin with a number"},
        {"", data, "'' does not begin with a number"},
        {" ", data, "does not begin with a number"},
        {"nan GB", data, "does not begin with a number"},
        {"inf GB", data, "does not begin with a number"},
        {"-infinity s", time_, "does not begin with a number"},
        {"+5 s", time_, "does not begin with a number"},
        {"1e999 GB", data, "out of the range of numbers"},
        {"1e-999 GB", data, "out of the range of numbers"},
        {"1e300 EB", data, "out of the range of numbers"},
        {"1,000 GB", data, "unknown unit ',000 GB'"},
        {"1_000 GB", data, "unknown unit '_000 GB'"},
        {"1.2.3 GB", data, "unknown unit '.3 GB'"},
        {"0x10 B", data, "unknown unit 'x10 B'"},
        {"1e GB", data, "unknown unit 'e GB'"},
        {"5 GB/s/s", bandwidth, "unknown unit"},
        {"5 GB/", bandwidth, "unknown unit 'GB/'"},
        {"5 /s", bandwidth, "'5 /s' is in 1/s, but B/s is needed"},
        {"5 GB//s", bandwidth, "unknown unit"},
        {"5\nGB", data, "unknown unit '\\x0AGB'"},
    };
    for (const Wrong& wrong : cases) {
        std::string error;
        EXPECT_FALSE(parse_quantity(wrong.text, wrong.dimension, error)) << wrong.text;
        EXPECT_THAT(error, HasSubstr(wrong.message)) << wrong.text;
    }
}

// Prefixes that nobody means: 80 mb for 80 MB would be a mistake by 8·10^9.
TEST(Quantity, SillyPrefixesAreRefused) {
    const std::vector<std::pair<std::string, Dimension>> cases{
        {"80 mb", data},     {"80 mB", data},  {"400 mbps", bandwidth}, {"80 gb", data},   {"80 KB", data},
        {"5 Ms", time_},     {"5 ks", time_},  {"5 Kis", time_},        {"5 kmin", time_}, {"1 mFLOP", work},
        {"1 TiFLOPS", rate}, {"1 KiW", power}, {"1 kUSD", money},       {"1 kh", time_},   {"1 kib", data},
    };
    for (const auto& [text, dimension] : cases) {
        std::string error;
        EXPECT_FALSE(parse_quantity(text, dimension, error)) << text;
        EXPECT_THAT(error, HasSubstr("unknown unit")) << text;
    }
}

TEST(Quantity, LongInputIsQuotedInPart) {
    std::string error;
    EXPECT_FALSE(parse_quantity("5 " + std::string(100000, 'x'), data, error));
    EXPECT_LT(error.size(), 200U);
}

TEST(Number, LeavesTheRest) {
    std::string_view rest;
    std::string error;
    EXPECT_EQ(parse_number("1.5e3 GB", rest, error), 1500.0);
    EXPECT_EQ(rest, " GB");
    EXPECT_EQ(parse_number("-7", rest, error), -7.0);
    EXPECT_EQ(rest, "");
    EXPECT_EQ(parse_number("5EB", rest, error), 5.0);
    EXPECT_EQ(rest, "EB");
    EXPECT_FALSE(parse_number("x", rest, error));
    EXPECT_EQ(error, "'x' does not begin with a number");
}

TEST(UnitOf, NamesAsResultsWriteThem) {
    EXPECT_EQ(unit_of(time_), "s");
    EXPECT_EQ(unit_of(bandwidth), "B/s");
    EXPECT_EQ(unit_of(rate), "FLOP/s");
    EXPECT_EQ(unit_of(power), "W");
    EXPECT_EQ(unit_of(price), "USD/s");
    EXPECT_EQ(unit_of(dimension_of(JoulesPerByte{})), "J/B");
    EXPECT_EQ(unit_of({}), "1");
    EXPECT_EQ(unit_of({-1, 0, 0, 0, 0}), "1/s");
    EXPECT_EQ(unit_of({0, 2, 0, 0, 0}), "B*B");
    EXPECT_EQ(unit_of({1, 1, 0, 0, 0}), "B*s");
    EXPECT_EQ(unit_of({-1, -1, 0, 1, 0}), "W/B");
    EXPECT_EQ(unit_of({0, 0, 0, -1, 1}), "USD/J");
}

TEST(FormatQuantity, ReadsWell) {
    EXPECT_EQ(format_quantity(5e10, bandwidth), "50 GB/s");
    EXPECT_EQ(format_quantity(85899345920.0, data), "80 GiB");
    EXPECT_EQ(format_quantity(512, data), "512 B");
    EXPECT_EQ(format_quantity(0.5, data), "0.5 B");
    EXPECT_EQ(format_quantity(5e-6, time_), "5 us");
    EXPECT_EQ(format_quantity(3600, time_), "3600 s");
    EXPECT_EQ(format_quantity(0, time_), "0 s");
    EXPECT_EQ(format_quantity(-0.25, time_), "-250 ms");
    EXPECT_EQ(format_quantity(9.89e14, rate), "989 TFLOP/s");
    EXPECT_EQ(format_quantity(700, power), "700 W");
    EXPECT_EQ(format_quantity(0.5, bandwidth), "0.5 B/s");  // no millibytes
    EXPECT_EQ(format_quantity(0.002, price), "0.002 USD/s");
    EXPECT_EQ(format_quantity(3.2e-11, dimension_of(JoulesPerByte{})), "32 pJ/B");
    EXPECT_EQ(format_quantity(std::nan(""), time_), "nan s");
    EXPECT_EQ(format_quantity(INFINITY, data), "inf B");
}

// What people read they copy back: the text must parse, and to six digits to the same value.
TEST(FormatQuantity, IsReadBack) {
    std::mt19937_64 random(99);
    std::uniform_real_distribution<double> exponent(-3, 18);
    std::uniform_real_distribution<double> short_exponent(-12, 6);
    const std::vector<Dimension> dimensions{data, bandwidth, rate, work, power, energy, time_};
    for (int trial = 0; trial < 5000; ++trial) {
        const Dimension dimension = dimensions[random() % dimensions.size()];
        const bool is_large =
            dimension == data || dimension == bandwidth || dimension == work || dimension == rate;
        const double magnitude = is_large ? exponent(random) : short_exponent(random);
        const double value = std::pow(10.0, magnitude);
        const std::string text = format_quantity(value, dimension);
        std::string error;
        const auto back = parse_quantity(text, dimension, error);
        ASSERT_TRUE(back) << text << ": " << error;
        EXPECT_SOFT_NEAR(value, *back, 1e-5);
    }
}

}  // namespace
}  // namespace dse::config
