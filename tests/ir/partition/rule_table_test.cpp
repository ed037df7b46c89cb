#include "ir/partition/rule_table.hpp"

#include <gtest/gtest.h>

#include "ir/written_program.hpp"

namespace dse::ir::partition {
namespace {

using test::WrittenProgram;

const Operation& made(const WrittenProgram& p, ValueId value) {
    return *p.program.definition(value);
}

TEST(RuleTable, SharesTheRuleOfEqualOperations) {
    WrittenProgram p;
    const ValueId x = p.argument({4, 8});
    const ValueId w = p.argument({8, 16});
    const DotDimensions inner{{}, {}, {1}, {0}};
    const ValueId first = p.operation(Opcode::dot, {x, w}, {4, 16}, inner);
    const ValueId again = p.operation(Opcode::dot, {p.argument({4, 8}), w}, {4, 16}, inner);
    RuleTable rules{p.program};
    const std::shared_ptr<const FactorRule> rule = rules.of(made(p, first));
    ASSERT_NE(rule, nullptr);
    EXPECT_EQ(*rule, factor_rule(p.program, made(p, first)));
    EXPECT_EQ(rule, rules.of(made(p, again)));
}

// Square arrays: the types are equal, the dimension numbers are not.
TEST(RuleTable, TellsDimensionNumbersApart) {
    WrittenProgram p;
    const ValueId x = p.argument({8, 8});
    const auto product = [&](const DotDimensions& dimensions) {
        return p.operation(Opcode::dot, {x, x}, {8, 8}, dimensions);
    };
    const auto row = [&](const Dimensions& dimensions) {
        return p.operation(Opcode::broadcast, {p.argument({8})}, {8, 8}, dimensions);
    };
    for (const auto& [one, other] : {std::pair{product({{}, {}, {1}, {0}}), product({{}, {}, {0}, {1}})},
                                     std::pair{row({{0}}), row({{1}})}}) {
        RuleTable rules{p.program};
        const std::shared_ptr<const FactorRule> rule = rules.of(made(p, one));
        EXPECT_EQ(*rule, factor_rule(p.program, made(p, one)));
        EXPECT_EQ(*rules.of(made(p, other)), factor_rule(p.program, made(p, other)));
        EXPECT_NE(*rule, *rules.of(made(p, other)));
    }
}

// Joining slices of one array shifts its parts; joining other arrays of these types does not.
TEST(RuleTable, DerivesEachConcatenation) {
    WrittenProgram p;
    const ValueId x = p.argument({8});
    const auto half = [&](std::int64_t begin) {
        return p.operation(Opcode::slice, {x}, {4}, SliceRanges{{begin}, {begin + 4}, {1}});
    };
    const ValueId turned = p.operation(Opcode::concatenate, {half(4), half(0)}, {8}, Dimensions{{0}});
    const ValueId joined =
        p.operation(Opcode::concatenate, {p.argument({4}), p.argument({4})}, {8}, Dimensions{{0}});
    RuleTable rules{p.program};
    EXPECT_EQ(rules.of(made(p, turned))->factors[0].kind, FactorRule::Kind::permutation);
    EXPECT_EQ(rules.of(made(p, joined))->factors[0].kind, FactorRule::Kind::whole);
}

TEST(RuleTable, HasNoneForForeignOperations) {
    WrittenProgram p;
    const ValueId call = p.operation(Opcode::custom_call, {p.argument({4})}, {4});
    EXPECT_EQ(RuleTable{p.program}.of(made(p, call)), nullptr);
}

}  // namespace
}  // namespace dse::ir::partition
