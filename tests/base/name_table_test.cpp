#include "dse/base/name_table.hpp"

#include <gtest/gtest.h>

namespace dse {
namespace {

TEST(NameTable, StoresEachTextOnce) {
    NameTable table;
    constexpr std::uint32_t texts = 1000;  // more than there are slots at first
    for (std::uint32_t t = 0; t < texts; ++t) EXPECT_EQ(table.add("text " + std::to_string(t)), t);
    for (std::uint32_t t = 0; t < texts; ++t) EXPECT_EQ(table.add("text " + std::to_string(t)), t);
    EXPECT_EQ(table.size(), texts);
    EXPECT_EQ(table[7], "text 7");
    EXPECT_EQ(table.add(""), texts);
    EXPECT_EQ(table[texts], "");
}

TEST(NameTable, GivesItsTextsAway) {
    NameTable table;
    table.add("ab");
    table.add("c");
    const auto [texts, begins] = table.take();
    EXPECT_EQ(texts, "abc");
    EXPECT_EQ(begins, (std::vector<std::uint32_t>{0, 2, 3}));
    EXPECT_EQ(table.size(), 0U);
    EXPECT_EQ(table.add("c"), 0U);
}

}  // namespace
}  // namespace dse
