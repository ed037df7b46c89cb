#include "synth/table.hpp"

#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dse/base/error.hpp"

namespace dse::synth {
namespace {

TEST(Table, ValuesAreDrawnInTheirProportions) {
    Histogram histogram;
    histogram.add(5, 1);
    histogram.add(2, 3);
    Random random{1};
    std::map<std::int32_t, int> drawn;
    for (int i = 0; i < 4000; ++i) ++drawn[histogram.draw(random)];
    // 3 in 4 are 2: 3,000 of 4,000, with a standard deviation of 27.
    EXPECT_NEAR(drawn[2], 3000, 140);
    EXPECT_EQ(drawn[2] + drawn[5], 4000);
    const auto odd = [](std::int32_t value) { return value % 2 == 1; };
    EXPECT_EQ(histogram.draw_if(random, odd, 0), 5);
    EXPECT_EQ(histogram.draw_if(
                  random, [](std::int32_t) { return false; }, 9),
              9);
}

TEST(Table, ARareContextYieldsToAWiderOne) {
    Table table;
    const Context narrow = context({1, 2});
    const Context wide = context({1});
    table.add(narrow, 7);
    for (int i = 0; i < 10; ++i) table.add(wide, 8);
    Random random{1};
    EXPECT_EQ(table.draw(random, {narrow, wide}, 0), 8);
    for (int i = 0; i < 3; ++i) table.add(narrow, 7);
    EXPECT_EQ(table.draw(random, {narrow, wide}, 0), 7);
    EXPECT_EQ(table.draw(random, {context({5})}, -1), -1);
}

TEST(Table, ContextsOfDifferentLengthsDiffer) {
    EXPECT_NE(context({}), context({0}));
    EXPECT_NE(context({0}), context({0, 0}));
    EXPECT_NE(context({1, 2, 3}), context({1, 3, 2}));
}

TEST(Table, WhatIsWrittenIsRead) {
    Table table;
    table.add(context({3, -1}), -4);
    table.add(context({3, -1}), 12);
    const Table read = Table::from_json(table.to_json(), -4, 12);
    ASSERT_NE(read.find(context({3, -1})), nullptr);
    EXPECT_EQ(read.find(context({3, -1}))->rows(), table.find(context({3, -1}))->rows());
    EXPECT_THROW(Table::from_json(table.to_json(), 0), InputError);
    EXPECT_THROW(Table::from_json(nlohmann::json::parse("[[1, 2]]"), 0), InputError);
    EXPECT_THROW(Table::from_json(nlohmann::json::parse("[[1, 2, 0]]"), 0), InputError);
}

}  // namespace
}  // namespace dse::synth
