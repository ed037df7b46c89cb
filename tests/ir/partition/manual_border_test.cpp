#include "ir/partition/manual_border.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/ir/program/program_error.hpp"
#include "ir/partition/sharded_program.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using test::model;
using testing::ElementsAre;
using testing::IsEmpty;

Type array(Sizes sizes) {
    Type type;
    type.sizes = std::move(sizes);
    return type;
}

// Rows are cut by hand, columns are not.
const Sharding both = test::ShardedProgram::sharding({{data}, {model}});

TEST(ManualBorder, PartsAxesByHandFromTheOthers) {
    EXPECT_EQ(by_hand(both, {data}, 2, 7), (Layout{{data}, {}}));
    EXPECT_TRUE(inside(both, {data}).dimensions[0].axes.empty());
    EXPECT_EQ(inside(both, {data}).dimensions[1].axes, std::vector{model});
    EXPECT_EQ(by_hand({}, {data}, 2, 7), (Layout{{}, {}}));
    try {
        by_hand(both, {data}, 3, 7);
        FAIL() << "no error";
    } catch (const ProgramError& error) {
        EXPECT_EQ(error.line(), 7U);
    }
}

// 16 rows outside are 4 by hand of 4 inside; columns are as many on both sides.
TEST(ManualBorder, CutsDimensionsIntoWhatIsByHandAndWhatIsInside) {
    const auto rule = border_rule(array({16, 32}), array({4, 32}), {{data}, {}});
    ASSERT_TRUE(rule.has_value());
    EXPECT_THAT(rule->operands[0], ElementsAre(ElementsAre(0, 1), ElementsAre(2)));
    EXPECT_THAT(rule->results[0], ElementsAre(ElementsAre(1), ElementsAre(2)));
    EXPECT_TRUE(rule->factors[0].blocked);
    EXPECT_EQ(rule->factors[0].size, 4);
    EXPECT_EQ(rule->factors[1].size, 4);
    EXPECT_FALSE(rule->factors[1].blocked);
    EXPECT_FALSE(border_rule(array({16, 32}), array({8, 32}), {{data}, {}}).has_value());
    EXPECT_FALSE(border_rule(array({16, 32}), array({4}), {{data}, {}}).has_value());
}

TEST(ManualBorder, LiesOutsideByHandFirst) {
    EXPECT_EQ(outside({{data}, {}}, {{model}, {}}), (Layout{{data, model}, {}}));
    EXPECT_THAT(outside({}, {}), IsEmpty());
}

}  // namespace
}  // namespace dse::ir::partition
