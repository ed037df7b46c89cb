#include "dse/config/field.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/described.hpp"
#include "dse/base/error.hpp"

namespace dse::config {
namespace {

using described::Schedule;

FieldInfo info(FieldType type) {
    FieldInfo result{.path = "x", .help = "", .type = type, .dimension = {}, .choices = {}};
    if (type == FieldType::quantity) result.dimension = dimension_of(Seconds{});
    if (type == FieldType::choice) result.choices = {"gpipe", "1f1b"};
    return result;
}

/// The parsed value, or what is wrong with it.
std::string parsed(const std::string& text, const FieldInfo& field) {
    Diagnostics diagnostics;
    const auto value = parse_value(Node::scalar(text, "axes.x", "--set"), field, diagnostics);
    EXPECT_EQ(value.has_value(), diagnostics.ok()) << text;
    return value ? format_value(*value, field) : diagnostics.text();
}

TEST(ParseValue, IntegersMayHaveExponentsAndZeroFractions) {
    const FieldInfo field = info(FieldType::integer);
    EXPECT_EQ(parsed("16", field), "16");
    EXPECT_EQ(parsed("-3", field), "-3");
    EXPECT_EQ(parsed("1e3", field), "1000");
    EXPECT_EQ(parsed("16.0", field), "16");
    EXPECT_EQ(parsed("9007199254740991", field), "9007199254740991");
}

TEST(ParseValue, WhatIsNoInteger) {
    const FieldInfo field = info(FieldType::integer);
    for (const char* text : {"", "x", "8x", "8 ", "1.5", "nan", "inf", "0x10", "1_000", "1,000", "+1", "8 GB",
                             "1e-3", "1e999", "--1"}) {
        EXPECT_EQ(parsed(text, field), "--set: error: axes.x: '" + std::string(text) + "' is not an integer");
    }
}

TEST(ParseValue, FormatsByTheNamesOfFrameworks) {
    FieldInfo field = info(FieldType::choice);
    field.choices = {"fp32", "bf16"};
    EXPECT_EQ(parsed("bfloat16", field), "bf16");
    EXPECT_EQ(parsed("float32", field), "fp32");
    EXPECT_THAT(parsed("float16", field), testing::HasSubstr("unknown value 'float16'"));
}

TEST(ParseValue, ListsHaveBrackets) {
    const FieldInfo field = info(FieldType::integer);
    EXPECT_EQ(parsed("1,2,4,8", field),
              "--set: error: axes.x: '1,2,4,8' is not an integer (a list is written [1,2,4,8])");
    EXPECT_THAT(parsed("4k", field), testing::EndsWith("is not an integer (write 4096, or 4000)"));
    EXPECT_THAT(parsed("8,pp=1", field),
                testing::EndsWith(
                    "is not an integer (each setting has an option of its own: --set tp=8 --set pp=1)"));
}

// 2^53 + 1 has no double of its own: read as 2^53 it would silently be another number.
TEST(ParseValue, IntegersThatADoubleCannotHoldAreRefused) {
    EXPECT_EQ(
        parsed("9007199254740993", info(FieldType::integer)),
        "--set: error: axes.x: '9007199254740993' is not between -9007199254740991 and 9007199254740991");
    EXPECT_THAT(parsed("1e300", info(FieldType::integer)), testing::HasSubstr("is not between"));
}

TEST(ParseValue, ValuesKeepToTheDeclaredRange) {
    FieldInfo zero = info(FieldType::integer);
    zero.help = "ZeRO stage";
    zero.range = between(0, 3);
    EXPECT_EQ(parsed("0", zero), "0");
    EXPECT_EQ(parsed("3", zero), "3");
    EXPECT_EQ(parsed("4", zero),
              "--set: error: axes.x: '4' is out of range: must be between 0 and 3 (ZeRO stage)");
    EXPECT_EQ(parsed("-1", zero),
              "--set: error: axes.x: '-1' is out of range: must be between 0 and 3 (ZeRO stage)");
    FieldInfo latency = detail::info_of<Seconds>("x", "of one message");
    latency.range = not_negative;
    EXPECT_EQ(parsed("0 s", latency), "0 s");
    EXPECT_EQ(parsed("-1 us", latency),
              "--set: error: axes.x: '-1 us' is out of range: must be at least 0 s (of one message)");
    FieldInfo efficiency = info(FieldType::number);
    efficiency.range = fraction;
    EXPECT_EQ(parsed("1", efficiency), "1");
    EXPECT_THAT(parsed("0", efficiency), testing::HasSubstr("must be above 0 and at most 1"));
}

TEST(FormatRange, SaysWhatMayStandThere) {
    FieldInfo number = info(FieldType::number);
    EXPECT_EQ(format_range(number), "");
    number.range = positive;
    EXPECT_EQ(format_range(number), "above 0");
    number.range = {-Range::unlimited, 2.5, false};
    EXPECT_EQ(format_range(number), "at most 2.5");
    FieldInfo bandwidth = detail::info_of<BytesPerSecond>("x", "");
    bandwidth.range = at_least(1e9);
    EXPECT_EQ(format_range(bandwidth), "at least 1 GB/s");
}

TEST(Renaming, SaysTheNewName) {
    EXPECT_EQ(renaming("delay", "latency", "of one message"),
              "'delay' is called 'latency' now (of one message)");
}

TEST(ParseValue, IntegersKeepToTheirType) {
    const FieldInfo bits8 = detail::info_of<std::uint8_t>("x", "");
    EXPECT_EQ(parsed("255", bits8), "255");
    EXPECT_EQ(parsed("256", bits8), "--set: error: axes.x: '256' is not between 0 and 255");
    EXPECT_EQ(parsed("-1", bits8), "--set: error: axes.x: '-1' is not between 0 and 255");
    const FieldInfo bits32 = detail::info_of<int>("x", "");
    EXPECT_EQ(parsed("2147483647", bits32), "2147483647");
    EXPECT_THAT(parsed("2147483648", bits32),
                testing::HasSubstr("is not between -2147483648 and 2147483647"));
}

TEST(ParseValue, NumbersAreFiniteAndNoPercentages) {
    const FieldInfo field = info(FieldType::number);
    EXPECT_EQ(parsed("0.75", field), "0.75");
    EXPECT_EQ(parsed("1e-3", field), "0.001");
    EXPECT_EQ(parsed("50%", field), "--set: error: axes.x: '50%' is not a number (write 0.5)");
    EXPECT_EQ(parsed("NaN", field), "--set: error: axes.x: 'NaN' is not a number");
    EXPECT_EQ(parsed("-inf", field), "--set: error: axes.x: '-inf' is not a number");
}

TEST(ParseValue, QuantitiesHaveAUnit) {
    EXPECT_EQ(parsed("5 us", info(FieldType::quantity)), "5 us");
    EXPECT_EQ(parsed("5", info(FieldType::quantity)),
              "--set: error: axes.x: '5' has no unit (write it as in '5 us' or '2 s')");
}

TEST(ParseValue, FlagsAreWords) {
    const FieldInfo field = info(FieldType::flag);
    for (const char* yes : {"true", "True", "TRUE", "yes", "on"})
        EXPECT_EQ(parsed(yes, field), "true") << yes;
    for (const char* no : {"false", "False", "FALSE", "no", "off"})
        EXPECT_EQ(parsed(no, field), "false") << no;
    EXPECT_EQ(parsed("1", field), "--set: error: axes.x: '1' is neither true nor false");
}

TEST(ParseValue, ChoicesAreKnownNames) {
    const FieldInfo field = info(FieldType::choice);
    EXPECT_EQ(parsed("1f1b", field), "1f1b");
    EXPECT_EQ(parsed("gpip", field), "--set: error: axes.x: unknown value 'gpip' (did you mean 'gpipe'?)");
    EXPECT_EQ(parsed("dualpipe", field),
              "--set: error: axes.x: unknown value 'dualpipe' (known: gpipe, 1f1b)");
    EXPECT_THAT(parsed("0", field), testing::HasSubstr("unknown value '0'"));
}

TEST(ParseValue, OnlyScalarsAreValues) {
    for (const FieldType type :
         {FieldType::integer, FieldType::number, FieldType::quantity, FieldType::flag, FieldType::choice}) {
        Diagnostics diagnostics;
        EXPECT_FALSE(parse_value(Node::map({}, "x", {}), info(type), diagnostics));
        EXPECT_FALSE(parse_value(Node{}, info(type), diagnostics));
        EXPECT_THAT(diagnostics.text(), testing::HasSubstr("found a map"));
        EXPECT_THAT(diagnostics.text(), testing::HasSubstr("found nothing"));
    }
}

TEST(InfoOf, FollowsTheType) {
    EXPECT_EQ(detail::info_of<bool>("p", "h").type, FieldType::flag);
    EXPECT_EQ(detail::info_of<std::int64_t>("p", "h").type, FieldType::integer);
    EXPECT_EQ(detail::info_of<double>("p", "h").type, FieldType::number);
    EXPECT_EQ(detail::info_of<std::string>("p", "h").type, FieldType::text);
    const FieldInfo bandwidth = detail::info_of<BytesPerSecond>("network.bandwidth", "per direction");
    EXPECT_EQ(bandwidth.type, FieldType::quantity);
    EXPECT_EQ(bandwidth.dimension, (Dimension{-1, 1, 0, 0, 0}));
    EXPECT_EQ(bandwidth.path, "network.bandwidth");
    EXPECT_EQ(bandwidth.help, "per direction");
    const FieldInfo schedule = detail::info_of<Schedule>("p", "h");
    EXPECT_EQ(schedule.type, FieldType::choice);
    EXPECT_THAT(schedule.choices, testing::ElementsAre("gpipe", "1f1b", "interleaved"));
}

template <class T>
T stored(double value) {
    T target{};
    detail::store(target, value);
    EXPECT_EQ(detail::load(target), value);
    return target;
}

TEST(Store, ValuesComeBackAsTheyWere) {
    EXPECT_EQ(stored<bool>(1.0), true);
    EXPECT_EQ(stored<std::int64_t>(-9007199254740991.0), -9007199254740991LL);
    EXPECT_EQ(stored<std::uint8_t>(255.0), 255);
    EXPECT_EQ(stored<double>(0.1), 0.1);
    EXPECT_EQ(stored<Bytes>(1e9), Bytes{1e9});
    EXPECT_EQ(stored<Schedule>(2.0), Schedule::interleaved);
}

TEST(FormatValue, ForPeople) {
    EXPECT_EQ(format_value(1e15, info(FieldType::integer)), "1000000000000000");
    EXPECT_EQ(format_value(0.5, info(FieldType::number)), "0.5");
    EXPECT_EQ(format_value(1, info(FieldType::choice)), "1f1b");
    EXPECT_EQ(format_value(2, info(FieldType::choice)), "2");  // no such enumerator
    EXPECT_EQ(format_value(-1, info(FieldType::choice)), "-1");
    EXPECT_EQ(format_value(std::nan(""), info(FieldType::choice)), "nan");
    EXPECT_EQ(format_value(std::nan(""), info(FieldType::integer)), "nan");
}

}  // namespace
}  // namespace dse::config
