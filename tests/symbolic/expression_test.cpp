// Also tests: program.cpp
#include "dse/symbolic/expression.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <muParser.h>

#include "dse/symbolic/expression_error.hpp"
#include "layout_symbols.hpp"

namespace dse::symbolic {
namespace {

using ExpressionTest = LayoutSymbols;

TEST_F(ExpressionTest, ValuesByHand) {
    const std::pair<const char*, double> cases[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"10 - 4 - 3", 3},
        {"-2 ** 2", -4},
        {"2 ** 3 ** 2", 512},
        {"2 ^ 10", 1024},
        {"2 ** -1.0", 0.5},
        {"-7 // 2", -4},
        {"7 // -2", -4},
        {"-7 % 3", 2},
        {"7 % -3", -2},
        {"9007199254740991 // 2", 4503599627370495},
        {"9007199254740991 // 1", 9007199254740991},
        {"devices / tp", 128},
        {"devices / tp / 4 / 2", 16},
        {"7.0 / 2", 3.5},
        {"share * tp / 16", 0.25},
        {"min(tp, pp, 5)", 3},
        {"max(tp, pp, 5)", 8},
        {"max(7)", 7},
        {"abs(pp - tp)", 5},
        {"ceil(2.1) + floor(-2.1) + round(2.5) + round(-2.5)", 0},
        {"log2(tp)", 3},
        {"sqrt(2 * tp)", 4},
        {"tp > 4 and pp > 4", 0},
        {"tp > 4 && pp < 4", 1},
        {"tp > 9 or pp", 1},
        {"tp > 9 || 0", 0},
        {"not tp == 8", 0},
        {"!on", 0},
        {"not on or on", 1},
        {"1 if tp > 4 else 2", 1},
        {"1 if tp > 9 else 2 if pp > 9 else 3", 3},
        {"tp > 9 ? 1 : pp == 3 ? 2 : 3", 2},
        {"schedule == '1f1b'", 1},
        {"\"gpipe\" == schedule", 0},
        {"schedule != 'interleaved' and mode == \"training\"", 1},
        {"schedule == ('gpipe' if pp == 1 else '1f1b')", 1},
        {"net.bandwidth >= '400 Gbps'", 1},
        {"net.bandwidth < '400 Gbps'", 0},
        {"on + on", 2},
        {"on % 2", 1},
        {"true and not False", 1},
        {"1e3 + .5 + 2.", 1002.5},
        {"0 * -1", 0},
    };
    for (const auto& [text, expected] : cases) {
        EXPECT_DOUBLE_EQ(value(text), expected) << text;
    }
    EXPECT_FALSE(std::signbit(value("0 * -tp")));
}

TEST_F(ExpressionTest, NoValueWhereIntegersDoNotDivide) {
    for (const char* text :
         {"devices / pp", "tp / pp", "tp % (pp - 3)", "tp // (pp - 3)", "share / (tp - 8)", "sqrt(-tp)",
          "log2(tp - 8)", "tp ** (0 - pp)", "not devices / pp", "devices / pp == 4", "devices / pp != 4",
          "max(devices / pp, 1)", "min(1, devices / pp)", "devices / pp > 1 or tp == 9",
          "devices / pp > 1 and tp == 8", "1 if devices / pp else 2", "(devices / pp) ** 0",
          "1 ** (devices / pp)", "1e308 * tp * 10"}) {
        EXPECT_FALSE(has_value(value(text))) << text;
        EXPECT_FALSE(Expression::parse(text, symbols_).holds(values_)) << text;
    }
    // These do not depend on the operand that has none.
    EXPECT_EQ(value("devices / pp > 1 and tp == 9"), 0.0);
    EXPECT_EQ(value("tp == 8 or devices / pp > 1"), 1.0);
    EXPECT_EQ(value("1 if tp == 8 else devices / pp"), 1.0);
    EXPECT_EQ(value("tp == 9 ? devices / pp : 2"), 2.0);
}

TEST_F(ExpressionTest, DimensionsOfATensor) {
    SymbolTable model;
    for (const char* name : {"n", "k", "d", "h"}) model.add(name, ValueType::integer);
    // Llama-3 70B: 64 heads, 8 key-value heads, 128 wide: (64 + 2·8)·128 = 10,240.
    const std::array<double, 4> values{64, 8, 128, 8192};
    EXPECT_EQ(Expression::parse("(n + 2*k)*d", model).evaluate(values), 10240.0);
    EXPECT_EQ(Expression::parse("4*h*h*(1 + k/n*2)", model).type(), ValueType::integer);
}

/// One expression serves many threads: evaluation keeps no state.
TEST_F(ExpressionTest, IsEvaluatedByManyThreads) {
    const auto expression = Expression::parse("devices / tp + pp * 2 if pp > 1 else tp", symbols_);
    std::vector<std::thread> threads;
    std::array<int, 4> wrong{};
    for (std::size_t t = 0; t < wrong.size(); ++t) {
        threads.emplace_back([&, t] {
            std::vector<double> values = values_;
            for (int i = 0; i < 20000; ++i) {
                values[1] = static_cast<double>(i % 7);
                const double expected = i % 7 > 1 ? 128.0 + 2.0 * (i % 7) : 8.0;
                wrong[t] += expression.evaluate(values) != expected;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const int count : wrong) EXPECT_EQ(count, 0);
}

/// Random expressions over a, b, c, so that precedence decides more often than parentheses do.
class RandomArithmetic {
  public:
    explicit RandomArithmetic(std::uint64_t seed) : random_{seed} {}

    std::string text(int depth) {
        if (depth == 0) return leaf();
        switch (random_() % 8) {
            case 0:
                return text(depth - 1) + " + " + text(depth - 1);
            case 1:
                return text(depth - 1) + " - " + text(depth - 1);
            case 2:
                return text(depth - 1) + " * " + text(depth - 1);
            case 3:
                return text(depth - 1) + " / " + text(depth - 1);
            case 4:
                return "(" + text(depth - 1) + ")";
            case 5:
                return "max(" + text(depth - 1) + ", " + text(depth - 1) + ")";
            case 6:
                return "(" + text(depth - 1) + " < " + text(depth - 1) + " ? " + text(depth - 1) + " : " +
                       leaf() + ")";
            default:
                return "abs(" + text(depth - 1) + ")";
        }
    }
    double number() { return 0.25 + static_cast<double>(random_() % 64) / 8.0; }

  private:
    std::string leaf() {
        static const char* leaves[] = {"a", "b", "c", "2.0", "0.5", "3.25"};
        return leaves[random_() % std::size(leaves)];
    }
    std::mt19937_64 random_;
};

/// The arithmetic of real numbers agrees with muParser, an independent evaluator.
TEST(ExpressionProperty, AgreesWithMuParser) {
    SymbolTable symbols;
    for (const char* name : {"a", "b", "c"}) symbols.add(name, ValueType::real);
    RandomArithmetic random(7);
    std::array<double, 3> values{};
    mu::Parser oracle;
    oracle.DefineVar("a", &values[0]);
    oracle.DefineVar("b", &values[1]);
    oracle.DefineVar("c", &values[2]);
    // muParser rewrites a + a to 2 * a and the like, which may round otherwise.
    oracle.EnableOptimizer(false);
    int compared = 0;
    for (int round = 0; round < 4000; ++round) {
        const std::string text = random.text(1 + round % 5);
        std::optional<Expression> expression;
        try {
            expression = Expression::parse(text, symbols);
        } catch (const ExpressionError&) {
            continue;  // a division of literals by zero
        }
        oracle.SetExpr(text);
        for (int sample = 0; sample < 4; ++sample) {
            for (double& value : values) value = random.number();
            const double expected = oracle.Eval();
            if (!std::isfinite(expected) || !has_value(expression->evaluate(values))) continue;
            EXPECT_NEAR(expression->evaluate(values), expected, 1e-12 * std::abs(expected)) << text;
            ++compared;
        }
    }
    EXPECT_GT(compared, 12000);
}

/// Integers: (a / b) is there exactly when b divides a; a == (a // b) * b + a % b; 0 <= |a % b| < |b|.
TEST(ExpressionProperty, IntegerDivision) {
    SymbolTable symbols;
    symbols.add("a", ValueType::integer);
    symbols.add("b", ValueType::integer);
    const auto quotient = Expression::parse("a / b", symbols);
    const auto floor = Expression::parse("a // b", symbols);
    const auto modulo = Expression::parse("a % b", symbols);
    std::mt19937_64 random(11);
    for (int i = 0; i < 200000; ++i) {
        const std::int64_t range = std::int64_t{1} << (random() % 52 + 1);
        const std::int64_t a =
            static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(range)) - range / 2;
        std::int64_t b = static_cast<std::int64_t>(random() % 64) - 32;
        if (i % 3 == 0) b *= 1 << 20;
        const std::array<double, 2> values{static_cast<double>(a), static_cast<double>(b)};
        if (b == 0) {
            EXPECT_FALSE(has_value(quotient.evaluate(values)));
            EXPECT_FALSE(has_value(modulo.evaluate(values)));
            continue;
        }
        EXPECT_EQ(has_value(quotient.evaluate(values)), a % b == 0);
        if (a % b == 0) {
            EXPECT_EQ(quotient.evaluate(values), static_cast<double>(a / b));
        }
        const auto q = static_cast<std::int64_t>(floor.evaluate(values));
        const auto r = static_cast<std::int64_t>(modulo.evaluate(values));
        EXPECT_EQ(q * b + r, a);
        EXPECT_TRUE(b > 0 ? (r >= 0 && r < b) : (r <= 0 && r > b)) << a << " % " << b;
    }
}

}  // namespace
}  // namespace dse::symbolic
