#include "ir/partition/choice.hpp"

#include <gtest/gtest.h>

#include "ir/partition/sharded_program.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using test::model;
using test::ShardedProgram;

// A product [m, k] times [k, n]; factors in the order m, n, k.
std::vector<Axes> chosen(Sizes lhs, const Layout& lhs_layout, Sizes rhs, const Layout& rhs_layout,
                         const Layout& result_layout) {
    ShardedProgram p;
    const ValueId a = p.argument(std::move(lhs));
    const ValueId b = p.argument(std::move(rhs));
    p.product(a, b);
    const Slots slots{p.program};
    const Relation relation = relations(p.program, slots).front();
    return chosen_axes(relation, slots, {{&lhs_layout}, {&rhs_layout}, {&result_layout}}, Aim::parallelism);
}

TEST(ChosenAxes, AreWhatAllAgreeOn) {
    EXPECT_EQ(chosen({64, 8}, {{data}, {}}, {8, 16}, {{}, {}}, {{data}, {}}),
              (std::vector<Axes>{{data}, {}, {}}));
}

// m of the activations or k of the weight, on one axis of 4: gathering the weight sends 3 parts of 8·16/4
// elements, exchanging the activations and scattering the result far more.
TEST(ChosenAxes, GatherTheSmallerArray) {
    EXPECT_EQ(chosen({4096, 8}, {{data}, {}}, {8, 16}, {{data}, {}}, {{data}, {}}),
              (std::vector<Axes>{{data}, {}, {}}));
}

// Few rows and a large weight: the rows are exchanged for columns, and the small result is scattered.
TEST(ChosenAxes, ReduceTheSmallerResult) {
    EXPECT_EQ(chosen({4, 4096}, {{data}, {}}, {4096, 16}, {{data}, {}}, {{data}, {}}),
              (std::vector<Axes>{{}, {}, {data}}));
}

// Rows on both axes, but the result is to have columns on the first of them: rows without it could not keep
// the other one either, and an eighth of the work would become a quarter.
TEST(ChosenAxes, KeepTheWorkParallel) {
    EXPECT_EQ(chosen({64, 8}, {{data, model}, {}}, {8, 16}, {{}, {data}}, {{}, {data}}),
              (std::vector<Axes>{{data, model}, {}, {}}));
}

// A product whose rows somebody else has gathered already.
TEST(ChosenAxes, TakeWhatIsAtHand) {
    ShardedProgram p;
    p.product(p.argument({4096, 64}), p.argument({64, 16}));
    const Slots slots{p.program};
    const Relation relation = relations(p.program, slots).front();
    const Layout rows{{data}, {}};
    const Layout columns{{}, {data}};
    std::vector<Placed> placed{{&rows}, {&columns}, {&columns}};
    const std::vector<Axes> by_rows{{data}, {}, {}};
    const std::vector<Axes> by_columns{{}, {data}, {}};
    // Alone: 3 · 512 bytes of the weight and 3 quarters of the result's part, against 3 · 131,072 bytes.
    EXPECT_EQ(chosen_axes(relation, slots, placed, Aim::parallelism), by_rows);
    EXPECT_EQ(sent_bytes(relation, slots, placed, by_rows), 3 * 512 + 3 * 4096 * 16 * 2 / 4 / 4);
    EXPECT_EQ(sent_bytes(relation, slots, placed, by_columns), 3 * 131072);
    placed[0].at_hand.push_back({{}, {}});
    EXPECT_EQ(chosen_axes(relation, slots, placed, Aim::parallelism), by_columns);
    EXPECT_EQ(sent_bytes(relation, slots, placed, by_columns), 0);
    placed[0].at_hand.clear();
    placed[0].anywhere = true;
    EXPECT_EQ(chosen_axes(relation, slots, placed, Aim::parallelism), by_columns);
}

// Rows of two bytes an element, made four and gathered: 64 · 32 · 2 · 3/4 bytes before, by everybody who then
// converts all of them, or twice that behind the conversion, of which each has done a quarter.
TEST(ChosenAxes, AreFewBytesOrManyPartsAsIsAimedAt) {
    ShardedProgram p;
    const std::vector<ValueId> operands{p.argument({64, 32})};
    const std::vector<TypeId> results{p.array({64, 32}, ElementType::f32)};
    p.builder.value(p.main, {.opcode = Opcode::convert, .operands = operands, .results = results});
    const Slots slots{p.program};
    const Relation relation = relations(p.program, slots).front();
    const Layout rows{{data}, {}};
    const Layout whole{{}, {}};
    const std::vector<Placed> placed{{&rows}, {&whole}};
    EXPECT_EQ(sent_bytes(relation, slots, placed, {{}, {}}), 3072);
    EXPECT_EQ(sent_bytes(relation, slots, placed, {{data}, {}}), 6144);
    EXPECT_EQ(chosen_axes(relation, slots, placed, Aim::traffic), (std::vector<Axes>{{}, {}}));
    EXPECT_EQ(chosen_axes(relation, slots, placed, Aim::parallelism), (std::vector<Axes>{{data}, {}}));
}

TEST(AimOf, IsTrafficWhereLittleIsComputed) {
    EXPECT_EQ(aim_of(Opcode::add), Aim::traffic);
    EXPECT_EQ(aim_of(Opcode::transpose), Aim::traffic);
    EXPECT_EQ(aim_of(Opcode::dot), Aim::parallelism);
}

// 16 axes in three orders on 16 dimensions: billions of ways, of which it looks at some.
TEST(ChosenAxes, AreFoundAmongFarTooManyWays) {
    constexpr std::size_t rank = 16;
    ShardedProgram p;
    const Sizes sizes(rank, 2);
    const ValueId x = p.argument(sizes);
    p.operation(Opcode::add, {x, p.argument(sizes)}, sizes);
    const Slots slots{p.program};
    const Relation relation = relations(p.program, slots).front();
    std::vector<Layout> layouts(3, Layout(rank));
    for (std::size_t tensor = 0; tensor < layouts.size(); ++tensor)
        for (std::size_t d = 0; d < rank; ++d)
            layouts[tensor][d] = {{static_cast<std::uint32_t>((d + tensor) % rank), 1, 2}};
    const std::vector<Placed> placed{{&layouts[0]}, {&layouts[1]}, {&layouts[2]}};
    std::int64_t parts = 1;
    for (const Axes& axes : chosen_axes(relation, slots, placed, Aim::parallelism)) parts *= parts_of(axes);
    EXPECT_EQ(parts, 1 << rank);
}

}  // namespace
}  // namespace dse::ir::partition
