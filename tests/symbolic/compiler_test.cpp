#include "symbolic/compiler.hpp"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "dse/symbolic/expression.hpp"
#include "dse/symbolic/expression_error.hpp"
#include "layout_symbols.hpp"

namespace dse::symbolic {
namespace {

using CompilerTest = LayoutSymbols;

TEST_F(CompilerTest, TypesFollowFromTheOperands) {
    const std::pair<const char*, ValueType> cases[] = {
        {"tp * 2", ValueType::integer},
        {"tp / 2", ValueType::integer},
        {"tp * share", ValueType::real},
        {"tp + 1.0", ValueType::real},
        {"ceil(share)", ValueType::integer},
        {"tp == 8", ValueType::flag},
        {"schedule", ValueType::label},
        {"sqrt(4)", ValueType::real},
        {"on", ValueType::flag},
        {"tp if on else share", ValueType::real},
        {"on + 1", ValueType::integer},
        {"true", ValueType::flag},
        {"schedule if on else 'gpipe'", ValueType::label},
    };
    for (const auto& [text, expected] : cases) {
        EXPECT_EQ(Expression::parse(text, symbols_).type(), expected) << text;
    }
}

TEST_F(CompilerTest, RefusesWhatHasNoMeaning) {
    struct Case {
        const char* text;
        std::size_t position;
        const char* reason;
    };
    const Case cases[] = {
        {"1 + shared", 4, "did you mean 'share'"},
        {"device / 2", 0, "did you mean 'devices'"},
        {"schedule == interleaved", 12, "is written in quotes: schedule == 'interleaved'"},
        {"schedule == 'interleave'", 12, "did you mean 'interleaved'"},
        {"schedule + 1", 0, "needs numbers"},
        {"schedule < 'gpipe'", 9, "no order"},
        {"schedule == 1", 9, "compared with a number"},
        {"schedule == mode", 9, "schedule == 'mode'"},
        {"tp == '8'", 6, "'tp' cannot be compared with a text"},
        {"'a' == 'b'", 0, "cannot be compared"},
        {"'gpipe'", 0, "must be compared"},
        {"share % 2", 6, "'share' is a real number"},
        {"7 // 2.0", 2, "needs integers"},
        {"1 / 2 * share", 2, "1 / 2 is not an integer"},
        {"1 / 0", 2, "no value"},
        {"1 if schedule else 2", 5, "a condition cannot be a label"},
        {"tp if on else 'gpipe'", 14, "cannot be compared"},
        {"net.bandwidth > '3 K'", 16, "net.bandwidth: no bandwidth"},
        {"tp if on else schedule", 3, "different kinds"},
    };
    for (const Case& bad : cases) {
        try {
            Expression::parse(bad.text, symbols_);
            ADD_FAILURE() << "accepted: " << bad.text;
        } catch (const ExpressionError& error) {
            EXPECT_EQ(error.position(), bad.position) << error.what();
            EXPECT_NE(error.reason().find(bad.reason), std::string::npos) << error.what();
        }
    }
}

TEST_F(CompilerTest, KnowsTheSlotsItNeeds) {
    const auto expression = Expression::parse("mode == 'decode' or devices / (tp * tp) > 2", symbols_);
    EXPECT_EQ(expression.slots(), (std::vector<std::size_t>{0, 6}));
    EXPECT_TRUE(Expression::parse("devices > 2", symbols_).slots().empty());
}

TEST_F(CompilerTest, ResultMayBeALabel) {
    const TextResolver result = label_resolver({"none", "full"});
    const auto expression = Expression::parse("'full' if tp > 4 else 'none'", symbols_, result);
    EXPECT_EQ(expression.evaluate(values_), 1.0);
    EXPECT_THROW(Expression::parse("'ful' if tp > 4 else 'none'", symbols_, result), ExpressionError);
}

}  // namespace
}  // namespace dse::symbolic
