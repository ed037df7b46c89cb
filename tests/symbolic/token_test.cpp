#include "symbolic/token.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dse/symbolic/expression_error.hpp"

namespace dse::symbolic {
namespace {

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    for (const Token& token : tokenize(text)) words.emplace_back(token.text);
    return words;
}

using Words = std::vector<std::string>;

TEST(Token, TakesTheLongestSymbol) {
    EXPECT_EQ(words_of("a**b//c<=d!=e"), (Words{"a", "**", "b", "//", "c", "<=", "d", "!=", "e", ""}));
    EXPECT_EQ(words_of("a* *b"), (Words{"a", "*", "*", "b", ""}));
}

TEST(Token, DotsBelongToNamesAndNumbers) {
    EXPECT_EQ(words_of("a.b_c.d2+1.5+.5+2."), (Words{"a.b_c.d2", "+", "1.5", "+", ".5", "+", "2.", ""}));
    EXPECT_EQ(words_of("1e3+2E-4+3e+2"), (Words{"1e3", "+", "2E-4", "+", "3e+2", ""}));
    EXPECT_THROW(tokenize("a."), ExpressionError);
    EXPECT_THROW(tokenize("a..b"), ExpressionError);
    EXPECT_THROW(tokenize("3e"), ExpressionError);
}

TEST(Token, KindsAndPositions) {
    const std::string text = "x and 'it''s'";
    const std::vector<Token> tokens = tokenize(text);
    ASSERT_EQ(tokens.size(), 5U);
    EXPECT_EQ(tokens[0].kind, TokenKind::name);
    EXPECT_EQ(tokens[1].kind, TokenKind::symbol);  // a word of the language
    EXPECT_EQ(tokens[2].kind, TokenKind::text);
    EXPECT_EQ(tokens[2].text, "it");
    EXPECT_EQ(tokens[2].position, 6U);
    EXPECT_EQ(tokens[4].kind, TokenKind::end);
    EXPECT_EQ(tokens[4].position, text.size());
    EXPECT_EQ(words_of("\"a'b\""), (Words{"a'b", ""}));
}

TEST(Token, KnowsItsOwnWords) {
    for (const char* word : {"and", "or", "not", "if", "else", "true", "False"})
        EXPECT_TRUE(is_reserved(word));
    for (const char* word : {"android", "iff", "min", ""}) EXPECT_FALSE(is_reserved(word));
}

}  // namespace
}  // namespace dse::symbolic
