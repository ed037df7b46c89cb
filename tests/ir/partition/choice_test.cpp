#include "ir/partition/choice.hpp"

#include <gtest/gtest.h>

#include "ir/partition/sharded_program.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using test::ShardedProgram;

// A product [m, k] times [k, n]; factors in the order k, m, n.
std::vector<Axes> chosen(Sizes lhs, const Layout& lhs_layout, Sizes rhs, const Layout& rhs_layout,
                         const Layout& result_layout) {
    ShardedProgram p;
    const ValueId a = p.argument(std::move(lhs));
    const ValueId b = p.argument(std::move(rhs));
    p.product(a, b);
    const Slots slots{p.program};
    const Relation relation = relations(p.program, slots).front();
    return chosen_axes(relation, slots, {&lhs_layout, &rhs_layout, &result_layout});
}

TEST(ChosenAxes, AreWhatAllAgreeOn) {
    EXPECT_EQ(chosen({64, 8}, {{data}, {}}, {8, 16}, {{}, {}}, {{data}, {}}),
              (std::vector<Axes>{{}, {data}, {}}));
}

// m of the activations or k of the weight, on one axis of 4: gathering the weight moves 3 parts of 8·16/4
// elements, gathering the activations and reducing the result far more.
TEST(ChosenAxes, GatherTheSmallerArray) {
    EXPECT_EQ(chosen({4096, 8}, {{data}, {}}, {8, 16}, {{data}, {}}, {{data}, {}}),
              (std::vector<Axes>{{}, {data}, {}}));
}

// Few rows and a large weight: the rows are exchanged for columns, and the small result is reduced.
TEST(ChosenAxes, ReduceTheSmallerResult) {
    EXPECT_EQ(chosen({4, 4096}, {{data}, {}}, {4096, 16}, {{data}, {}}, {{data}, {}}),
              (std::vector<Axes>{{data}, {}, {}}));
}

}  // namespace
}  // namespace dse::ir::partition
