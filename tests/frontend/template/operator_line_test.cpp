#include "dse/frontend/template/operator_line.hpp"

#include <random>

#include <gtest/gtest.h>

namespace dse::frontend {
namespace {

OperatorLine right(std::string_view text) {
    std::string error;
    const auto line = parse_operator_line(text, error);
    EXPECT_TRUE(line.has_value()) << error;
    return line.value_or(OperatorLine{});
}

std::string wrong(std::string_view text) {
    std::string error;
    EXPECT_FALSE(parse_operator_line(text, error).has_value()) << text;
    return error;
}

TEST(OperatorLine, HasResultsKindTextOperandsAndOptions) {
    const OperatorLine line = right("y, m = kind(\"bsh,ho->bso\", a, w_qkv, heads=n, width=(a + 2*b)*c)");
    EXPECT_EQ(line.results, (std::vector<std::string>{"y", "m"}));
    EXPECT_EQ(line.kind, "kind");
    EXPECT_EQ(line.text, "bsh,ho->bso");
    EXPECT_EQ(line.operands, (std::vector<std::string>{"a", "w_qkv"}));
    ASSERT_EQ(line.options.size(), 2U);
    EXPECT_EQ(*line.option("heads"), "n");
    EXPECT_EQ(*line.option("width"), "(a + 2*b)*c");
    EXPECT_EQ(line.option("depth"), nullptr);
}

TEST(OperatorLine, SpacesDoNotMatter) {
    const OperatorLine line = right("  y=gelu ( x , scale = max(1, 2)  )  ");
    EXPECT_EQ(line.results.front(), "y");
    EXPECT_EQ(line.operands.front(), "x");
    EXPECT_EQ(*line.option("scale"), "max(1, 2)");
}

TEST(OperatorLine, MayHaveNoArguments) {
    EXPECT_TRUE(right("y = zeros()").operands.empty());
}

TEST(OperatorLine, SaysWhatIsWrongAndWhere) {
    for (const auto& [text, reason] : std::vector<std::pair<std::string, std::string>>{
             {"", "expected a name at column 1"},
             {"y", "expected '=' at column 2"},
             {"y =", "expected a name at column 4"},
             {"y = gelu", "expected '(' at column 9"},
             {"y = gelu(x", "expected ')' at column 11"},
             {"y = gelu(x))", "nothing may follow the closing ')' at column 12"},
             {"y = gelu(x,)", "expected a name at column 12"},
             {"y = gelu(k=)", "expected an expression at column 12"},
             {"y = gelu(k=1, k=2)", "option 'k' is given twice"},
             {"y = gelu(\"a)", "a quoted text that does not end at column 11"},
             {"y = gelu(\"a\", \"b\")", "a second quoted text"},
             {"y, = gelu(x)", "expected a name at column 4"},
             {"y = g-elu(x)", "expected '(' at column 6"}}) {
        EXPECT_NE(wrong(text).find(reason), std::string::npos) << text << ": " << wrong(text);
    }
}

/// Any bytes are a line or none, and what is a line says so of its parts.
TEST(OperatorLine, AnyBytesAreReadOrRefused) {
    std::mt19937 random{3};
    const std::string_view alphabet = "yx=(),\"w ab1_-\n\t\\>";
    int lines = 0;
    for (int i = 0; i < 200'000; ++i) {
        std::string text = i % 2 == 0 ? "y = k(" : "";
        const std::size_t length = random() % 16;
        for (std::size_t j = 0; j < length; ++j) text += alphabet[random() % alphabet.size()];
        std::string error;
        const auto line = parse_operator_line(text, error);
        EXPECT_EQ(line.has_value(), error.empty()) << text;
        if (!line) continue;
        ++lines;
        EXPECT_FALSE(line->results.empty() || line->kind.empty()) << text;
        for (const OperatorLine::Option& option : line->options) EXPECT_FALSE(option.value.empty()) << text;
    }
    EXPECT_GT(lines, 100);
}

}  // namespace
}  // namespace dse::frontend
