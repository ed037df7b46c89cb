#include "ir/readers/fx/expression.hpp"

#include <string>

#include <gtest/gtest.h>

#include "support/error_message.hpp"

namespace dse::ir::fx {
namespace {

using Kind = Expressions::Kind;

// As LISP would write it: kinds that matter are told apart by their brackets.
std::string tree(const Expressions& expressions, const Expressions::Node& node) {
    const auto children = [&] {
        std::string text;
        for (const auto* each = expressions.child(node); each != nullptr; each = expressions.next(*each))
            text += (text.empty() ? "" : " ") + tree(expressions, *each);
        return text;
    };
    switch (node.kind) {
        case Kind::call:
            return "call(" + children() + ")";
        case Kind::list:
            return "[" + children() + "]";
        case Kind::index:
            return "at(" + children() + ")";
        case Kind::attribute:
            return "." + std::string{node.text} + "(" + children() + ")";
        case Kind::binary:
            return std::string{node.text} + "(" + children() + ")";
        case Kind::keyword:
            return std::string{node.text} + "=" + children();
        case Kind::text:
            return "'" + std::string{node.text} + "'";
        case Kind::number:
            return "~" + std::string{node.text};
        case Kind::name:
        case Kind::integer:
            break;
    }
    return std::string{node.text};
}

std::string read(const std::string& text) {
    const Source source = Source::text(text, "x.fx");
    Cursor cursor{source};
    Expressions expressions;
    const std::string result = tree(expressions, expressions.read_tuple(cursor));
    return result + std::string{cursor.rest()};
}

TEST(Expressions, ReadsWhatFxPrints) {
    EXPECT_EQ(read("torch.ops.aten.mm.default(a, b_1);  a = None"),
              "call(torch.ops.aten.mm.default a b_1);  a = None");
    EXPECT_EQ(read("f([2, -1], dim = 0, eps = 1e-05)"), "call(f [2 -1] dim=0 eps=~1e-05)");
    EXPECT_EQ(read("f(x, 'sum', \"0\", None, -inf)"), "call(f x 'sum' '0' None -(inf))");
    EXPECT_EQ(read("device(type='cuda', index=0)"), "call(device type='cuda' index=0)");
    EXPECT_EQ(read("split[12]"), "at(split 12)");
    EXPECT_EQ(read("x[(slice(None, 2, None), ...)]"), "at(x [call(slice None 2 None) ...])");
    EXPECT_EQ(read("g + rs * 2"),
              "*(+(g rs) 2)");  // FX prints one operator a statement: precedence is not kept
    EXPECT_EQ(read("x ** 2 @ y"), "@(**(x 2) y)");
    EXPECT_EQ(read("f(x).sum(0)"), "call(.sum(call(f x)) 0)");
    EXPECT_EQ(read("{'a': x, 'b': 2}"), "['a' x 'b' 2]");
    EXPECT_EQ(read("(a,)\n"), "[a]\n");
    EXPECT_EQ(read("a, b,\n"), "[a b]\n");
    EXPECT_EQ(read(".5"), "~.5");
}

TEST(Expressions, GoesOverLineEndsAndCommentsInBrackets) {
    EXPECT_EQ(read("(\n    a,  # PlainAOTOutput(idx=0)\n    b,\n)"), "[a b]");
}

TEST(Expressions, FindsArgumentsByNumberOrName) {
    const Source source = Source::text("f(x, 3, dim = 5)", "x.fx");
    Cursor cursor{source};
    Expressions expressions;
    const auto& call = expressions.read(cursor);
    EXPECT_EQ(expressions.argument(call, 1)->text, "3");
    EXPECT_EQ(expressions.argument(call, 2, "dim")->text, "5");
    EXPECT_EQ(expressions.argument(call, 2), nullptr);
    EXPECT_EQ(expressions.argument(call, 7, "other"), nullptr);
}

TEST(Expressions, RefusesWithAPlace) {
    EXPECT_EQ(test::error_message([] { read("f(a b)"); }), "x.fx:1:5: expected ',' or ')', found 'b)'");
    EXPECT_EQ(test::error_message([] { read("f('abc"); }), "x.fx:1:3: unterminated string");
    EXPECT_EQ(test::error_message([] { read("= 3"); }), "x.fx:1:1: expected an expression, found '= 3'");
    EXPECT_NE(test::error_message([] { read(std::string(5000, '(')); }).find("too deep"), std::string::npos);
    EXPECT_NE(test::error_message([] { read(std::string(5000, '-')); }).find("too deep"), std::string::npos);
}

}  // namespace
}  // namespace dse::ir::fx
