#include "space/comparison.hpp"

#include <gtest/gtest.h>

namespace dse::space {
namespace {

std::vector<std::string> texts(std::string_view text) {
    std::vector<std::string> texts;
    for (const TextPart& part : conjuncts(text)) {
        EXPECT_EQ(text.substr(part.start, part.text.size()), part.text);
        texts.push_back(part.text);
    }
    return texts;
}

TEST(Comparison, AConjunctionIsItsParts) {
    using Texts = std::vector<std::string>;
    EXPECT_EQ(texts("a < 1"), (Texts{"a < 1"}));
    EXPECT_EQ(texts("a < 1 and b > 2 && c"), (Texts{"a < 1", "b > 2", "c"}));
    EXPECT_EQ(texts("(a and b) and x == ' and '"), (Texts{"(a and b)", "x == ' and '"}));
    EXPECT_EQ(texts("a or b and c"), (Texts{"a or b and c"})) << "or binds looser";
    EXPECT_EQ(texts("x if a and b else y"), (Texts{"x if a and b else y"}));
    EXPECT_EQ(texts("brand < sand"), (Texts{"brand < sand"})) << "no word of its own";
}

TEST(Comparison, TheSmallerSideComesFirst) {
    using Sides = std::optional<std::pair<std::string, std::string>>;
    EXPECT_EQ(ordered_sides("a + 1 <= 2 * b"), (Sides{{"a + 1", "2 * b"}}));
    EXPECT_EQ(ordered_sides("a > min(b, (c < d))"), (Sides{{"min(b, (c < d))", "a"}}));
    EXPECT_EQ(ordered_sides("a >= b"), (Sides{{"b", "a"}}));
    for (const char* none :
         {"a == b", "a != b", "a", "not a < b", "a < b or c", "(a < b)", "a < b and c < d"})
        EXPECT_EQ(ordered_sides(none), std::nullopt) << none;
}

}  // namespace
}  // namespace dse::space
