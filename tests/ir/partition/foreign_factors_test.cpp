#include "ir/partition/foreign_factors.hpp"

#include <gtest/gtest.h>

#include "ir/written_program.hpp"
#include "support/factor_rule_text.hpp"

namespace dse::ir::partition {
namespace {

using test::WrittenProgram;

std::optional<FactorRule> rule_of(std::string_view target, Sizes from, Sizes to) {
    WrittenProgram p;
    const ValueId result = p.operation(Opcode::custom_call, {p.argument(std::move(from))}, std::move(to),
                                       ForeignCall{p.builder.name(target), no_name});
    return foreign_rule({p.program, *p.program.definition(result)});
}

TEST(ForeignRule, OfACopyToTheHostIsElementByElement) {
    const auto rule = rule_of("MoveToHost", {4, 8}, {4, 8});
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(dse::test::text(*rule), "([i, j])->([i, j]) {i=4, j=8}");
}

TEST(ForeignRule, OfTheLargestOfARowKeepsRowsWhole) {
    const auto rule = rule_of("mhlo.topk", {16, 64}, {16, 2});
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(dse::test::text(*rule),
              "([i, j])->([i, j]) {i=16, j=64} need_replication={j} blocked_propagation={j}");
}

TEST(ForeignRule, IsNoneOfWhatNobodyKnows) {
    EXPECT_FALSE(rule_of("my_kernel", {4}, {4}).has_value());
}

}  // namespace
}  // namespace dse::ir::partition
