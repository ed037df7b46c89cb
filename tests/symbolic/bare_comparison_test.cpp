#include "dse/symbolic/bare_comparison.hpp"

#include <gtest/gtest.h>

namespace dse::symbolic {
namespace {

TEST(BareComparisons, AreOfANameWithANumber) {
    const auto found = bare_comparisons(
        ParsedExpression::parse("tp * 2 <= 8 and 4 < net.bandwidth or a == 1.5 and flag == true"));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].name.name, "net.bandwidth");
    EXPECT_EQ(found[0].name.position, 20U);
    EXPECT_EQ(found[0].number, 4.0);
    EXPECT_EQ(found[1].name.name, "a");
    EXPECT_EQ(found[1].number, 1.5);
}

TEST(BareComparisons, AreNotOfTextsOrOtherNames) {
    for (const char* text : {"a <= '4 GB'", "a <= b", "a + 1", "a", "1 < 2", "a if b else 3", "not a"})
        EXPECT_TRUE(bare_comparisons(ParsedExpression::parse(text)).empty()) << text;
}

}  // namespace
}  // namespace dse::symbolic
