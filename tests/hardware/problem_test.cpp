#include "dse/hardware/problem.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

TEST(Problems, accept_the_ends_of_their_ranges) {
    Problems problems;
    problems.positive("a", 1e-300, "why");
    problems.not_negative("b", 0.0, "why");
    problems.fraction("c", 1.0, "why");
    problems.share("d", 0.0, "why");
    problems.share("e", 1.0, "why");
    problems.at_least("f", 2.0, 2.0, "why");
    EXPECT_EQ(keys(problems), Keys{});
    EXPECT_TRUE(problems.empty());
}

TEST(Problems, name_what_lies_outside) {
    Problems problems;
    problems.positive("a", 0.0, "why");
    problems.not_negative("b", -1.0, "why");
    problems.fraction("c", 0.0, "why");
    problems.fraction("d", 1.5, "why");
    problems.share("e", -0.1, "why");
    problems.at_least("f", 1.0, 2.0, "why");
    EXPECT_EQ(keys(problems), (Keys{"a", "b", "c", "d", "e", "f"}));
}

TEST(Problems, refuse_what_is_no_number) {
    Problems problems;
    problems.positive("a", not_a_number, "why");
    problems.not_negative("b", not_a_number, "why");
    problems.fraction("c", not_a_number, "why");
    problems.share("d", not_a_number, "why");
    problems.at_least("e", not_a_number, 0.0, "why");
    problems.positive("f", std::numeric_limits<double>::infinity(), "why");
    EXPECT_EQ(keys(problems).size(), 6U);
}

TEST(Problems, say_what_is_wrong_and_why) {
    Problems problems;
    problems.fraction("efficiency", 2.0, "a share of the peak");
    EXPECT_EQ(problems.text(), "efficiency: 2 is no fraction in (0, 1] (a share of the peak)");
}

TEST(Problems, nest_under_the_key_of_the_outer_struct) {
    Problems inner;
    inner.positive("capacity", 0.0, "why");
    Problems outer;
    outer.nest("memory", inner);
    EXPECT_EQ(keys(outer), Keys{"memory.capacity"});
}

TEST(Report, points_at_the_value_in_the_file) {
    config::Diagnostics diagnostics;
    const auto map =
        config::parse_yaml("memory:\n  capacity: {value: 0 B, source: nobody}\n", "x.yaml", diagnostics);
    Problems problems;
    problems.positive("memory.capacity", 0.0, "a device needs memory");
    report(problems, map, diagnostics);
    ASSERT_EQ(diagnostics.all().size(), 1U);
    EXPECT_EQ(to_string(diagnostics.all()[0].where), "x.yaml:2:21");
    EXPECT_EQ(diagnostics.all()[0].message, "0 is not above 0 (a device needs memory)");
}

TEST(Report, leaves_out_what_the_file_does_not_say_or_was_reported_before) {
    config::Diagnostics diagnostics;
    const auto map = config::parse_yaml("bandwidth: fast\n", "x.yaml", diagnostics);
    diagnostics.error(map.find("bandwidth")->location(), "bandwidth", "no quantity");
    Problems problems;
    problems.positive("bandwidth", 0.0, "why");
    problems.positive("latency", 0.0, "why");
    report(problems, map, diagnostics);
    EXPECT_EQ(diagnostics.all().size(), 1U);
}

}  // namespace
}  // namespace dse::hardware
