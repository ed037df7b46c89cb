#include "results/row.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace dse::results {
namespace {

constexpr std::array<double, 2> values{1.0, std::numeric_limits<double>::quiet_NaN()};

Row sample() {
    return {.point_id = 4,
            .status = space::Status::ok,
            .reason = "",
            .values = values,
            .wall_seconds = 1,
            .rank = 0,
            .host = 0};
}

TEST(Row, SaysTheSameWhereverAndHoweverFastItCameAbout) {
    Row other = sample();
    other.wall_seconds = 2;
    other.rank = 1;
    other.host = 1;
    const std::array copy = values;
    other.values = copy;
    EXPECT_TRUE(same_answer(sample(), other));
}

TEST(Row, DiffersInEveryBitOfTheAnswer) {
    const auto differs = [](auto change) {
        Row other = sample();
        change(other);
        return !same_answer(sample(), other);
    };
    static const std::array next{std::nextafter(1.0, 2.0), values[1]};
    EXPECT_TRUE(differs([](Row& row) { row.point_id = 5; }));
    EXPECT_TRUE(differs([](Row& row) { row.status = space::Status::failed; }));
    EXPECT_TRUE(differs([](Row& row) { row.reason = "x"; }));
    EXPECT_TRUE(differs([](Row& row) { row.values = next; }));
    EXPECT_TRUE(differs([](Row& row) { row.values = row.values.first(1); }));
}

/// [time, part]: whoever has a part knows more, and nobody may say otherwise.
TEST(Row, KnowsMoreWhereItHasNumbersAndTheOtherNone) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const auto compared = [](const std::vector<double>& one, const std::vector<double>& two) {
        Row a = sample();
        Row b = sample();
        a.values = one;
        b.values = two;
        return compare(a, b);
    };
    EXPECT_EQ(compared({1, none, none}, {1, none, none}), Knowledge::equal);
    EXPECT_EQ(compared({1, 0.5, 0.25}, {1, none, none}), Knowledge::first);
    EXPECT_EQ(compared({1, none, none}, {1, 0.5, 0.25}), Knowledge::second);
    EXPECT_EQ(compared({1, 0.5, none}, {1, none, 0.25}), Knowledge::disagree);
    EXPECT_EQ(compared({1, 0.5}, {1, 0.25}), Knowledge::disagree);
    EXPECT_EQ(compared({1, 0.5}, {2, none}), Knowledge::disagree);
    EXPECT_EQ(compared({1}, {1, none}), Knowledge::disagree);
    Row other = sample();
    other.status = space::Status::out_of_memory;
    EXPECT_EQ(compare(sample(), other), Knowledge::disagree);
}

}  // namespace
}  // namespace dse::results
