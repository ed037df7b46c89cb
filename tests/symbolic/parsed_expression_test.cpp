// Also tests: expression_error.cpp
#include "dse/symbolic/parsed_expression.hpp"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "dse/symbolic/expression.hpp"
#include "dse/symbolic/expression_error.hpp"

namespace dse::symbolic {
namespace {

struct BadText {
    const char* text;
    std::size_t position;
    const char* reason;  ///< part of the message
};

TEST(ParsedExpression, SaysWhatIsWrongAndWhere) {
    const BadText cases[] = {
        {"", 0, "empty"},
        {"   ", 3, "empty"},
        {"tp +", 4, "found the end"},
        {"tp * / pp", 5, "found '/'"},
        {"(tp + 1", 7, "expected the ')' of the '(' at character 1"},
        {"tp)", 2, "unexpected ')'"},
        {"tp pp", 3, "unexpected 'pp'"},
        {"tp == 400 Gbps", 10, "unexpected 'Gbps' (a quantity is written in quotes: '400 Gbps')"},
        {"tp = 4", 3, "compare with '=='"},
        {"tp & 4", 3, "did you mean '&&'"},
        {"tp $ 4", 3, "unexpected character '$'"},
        {"1 < tp < 4", 7, "do not chain"},
        {"tp == pp == 1", 9, "do not chain"},
        {"maxx(tp, 1)", 0, "did you mean 'max'"},
        {"sqrt(tp, 1)", 0, "takes one argument"},
        {"max()", 4, "expected a value"},
        {"bandwidth > 400Gbps", 12, "in quotes"},
        {"1.2.3", 0, "second point"},
        {"schedule == '1f1b", 12, "no closing one"},
        {"a ? b", 5, "expected the ':'"},
        {"a if b", 6, "expected the 'else'"},
        {"2 * not a", 4, "needs parentheses"},
        {"1e999", 0, "too large"},
        {"a + \xc3\xa9", 4, "0xc3"},
    };
    for (const BadText& bad : cases) {
        try {
            ParsedExpression::parse(bad.text);
            ADD_FAILURE() << "accepted: " << bad.text;
        } catch (const ExpressionError& error) {
            EXPECT_EQ(error.position(), bad.position) << bad.text << ": " << error.what();
            EXPECT_NE(error.reason().find(bad.reason), std::string::npos) << bad.text << ": " << error.what();
            EXPECT_NE(std::string(error.what()).find(bad.text), std::string::npos) << error.what();
        }
    }
}

TEST(ParsedExpression, ListsNamesOnceInOrder) {
    const auto parsed =
        ParsedExpression::parse("max(dp, pp) * dp + cluster.network.scale_out.bandwidth if tp else 1");
    ASSERT_EQ(parsed.names().size(), 4U);
    EXPECT_EQ(parsed.names()[0].name, "dp");
    EXPECT_EQ(parsed.names()[0].position, 4U);
    EXPECT_EQ(parsed.names()[1].name, "pp");
    EXPECT_EQ(parsed.names()[2].name, "cluster.network.scale_out.bandwidth");
    EXPECT_EQ(parsed.names()[3].name, "tp");
}

TEST(ParsedExpression, BoundsNestingAndLength) {
    const auto parentheses = [](std::size_t n) { return std::string(n, '(') + "1" + std::string(n, ')'); };
    EXPECT_NO_THROW(ParsedExpression::parse(parentheses(40)));
    EXPECT_THROW(ParsedExpression::parse(parentheses(2000)), ExpressionError);
    EXPECT_THROW(ParsedExpression::parse(std::string(2000, '-') + "1"), ExpressionError);
    EXPECT_THROW(ParsedExpression::parse(std::string(2000, '!') + "1"), ExpressionError);
    EXPECT_THROW(ParsedExpression::parse(std::string(100000, '1')), ExpressionError);
    std::string powers = "1";
    for (int i = 0; i < 1000; ++i) powers += "**1";
    EXPECT_THROW(ParsedExpression::parse(powers), ExpressionError);
    // A long chain is no deep nesting: 1 + 1 + … is 1000.
    std::string sum = "1";
    for (int i = 1; i < 1000; ++i) sum += " + 1";
    EXPECT_EQ(Expression::parse(sum, {}).evaluate({}), 1000.0);
}

/// Any text is an expression or an ExpressionError: random bytes, and random words of the language.
TEST(ParsedExpression, SurvivesAnyText) {
    std::mt19937_64 random(20240607);
    const char* words[] = {"tp",  "1",  "2.5",  "+",   "-",    "*",  "/", "//",  "%",    "**",
                           "(",   ")",  ",",    "==",  "<",    "?",  ":", "if",  "else", "not",
                           "and", "or", "min",  "'x'", "sqrt", "\"", "!", " ",   "1e",   ".",
                           "a.b", "\n", "true", "^",   "&&",   "=",  "#", "\xff"};
    SymbolTable symbols;
    symbols.add("tp", ValueType::integer);
    symbols.add("a.b", ValueType::label, label_resolver({"x", "y"}));
    std::size_t accepted = 0;
    for (int round = 0; round < 60000; ++round) {
        std::string text;
        const std::size_t length = random() % 8;
        for (std::size_t i = 0; i < length; ++i) {
            if (round % 4 == 0) {
                text += static_cast<char>(random() % 256);
            } else {
                text += words[random() % std::size(words)];
                text += ' ';
            }
        }
        try {
            const auto expression = Expression::parse(text, symbols);
            const double values[] = {static_cast<double>(random() % 5), 1.0};
            const double first = expression.evaluate(values);
            const double second = expression.evaluate(values);
            EXPECT_TRUE(first == second || (!has_value(first) && !has_value(second))) << text;
            ++accepted;
        } catch (const ExpressionError& error) {
            EXPECT_LE(error.position(), text.size());
        }
    }
    EXPECT_GT(accepted, 1000U);  // the generator reaches the evaluator too
}

}  // namespace
}  // namespace dse::symbolic
