#include "ir/partition/plan.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "ir/partition/sharded_program.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using test::ShardedProgram;

// The axes of each product's rows and columns, in their order.
struct Planned {
    std::vector<Axes> rows;
    std::vector<Axes> columns;

    explicit Planned(const Program& program) {
        const Slots slots{program};
        const auto all = relations(program, slots);
        const Plan plan{program, slots, layouts_before(program, slots), all};
        for (const Operation& operation : program[program.entry].operations) {
            const Plan::Entry* entry = plan.of(operation);
            if (operation.opcode != Opcode::dot || entry == nullptr) continue;
            rows.push_back(entry->axes[0]);  // factors: rows, columns, contracted
            columns.push_back(entry->axes[1]);
        }
    }
};

struct Projections : ShardedProgram {
    ValueId x = argument({512, 64}, on({{data}, {}}));

    // The result lies on its columns, as the weight does.
    void project(std::int64_t width) {
        const ValueId result = product(x, argument({64, width}, on({{}, {data}})));
        program.values[result.index()].sharding = on({{}, {data}});
    }
};

// Gathering the weight (3 · 64·64·2/4 bytes) and exchanging the result (3 · 512·64·2/16) would send a little
// less than gathering the rows (3 · 512·64·2/4). XLA computes along what operand and result have in common.
TEST(Plan, IsXlasWayWhereThatIsKnown) {
    Projections p;
    p.project(64);
    const Planned planned{p.program};
    EXPECT_EQ(planned.rows, std::vector<Axes>{{}});
    EXPECT_EQ(planned.columns, std::vector<Axes>{{data}});
}

// Three such readers: gathered once the rows serve all, and none would have begun alone.
TEST(Plan, GathersRowsForThreeReaders) {
    Projections p;
    for (int i = 0; i < 3; ++i) p.project(64);
    const Planned planned{p.program};
    EXPECT_EQ(planned.rows, std::vector<Axes>(3));
    EXPECT_EQ(planned.columns, std::vector<Axes>(3, {data}));
}

// A later reader of wide results wants the rows gathered anyway: the first learns of it.
TEST(Plan, LetsEarlierReadersKnowOfLaterOnes) {
    Projections p;
    p.project(64);
    p.project(8192);
    const Planned planned{p.program};
    EXPECT_EQ(planned.rows, std::vector<Axes>(2));
    EXPECT_EQ(planned.columns, std::vector<Axes>(2, {data}));
}

// Somebody moves the rows by hand.
TEST(Plan, ReadsWhatIsMovedAnyway) {
    Projections p;
    const ValueId moved = p.operation(Opcode::reshard, {p.x}, {512, 64});
    p.program.values[moved.index()].sharding = p.on({{}, {}});
    p.project(64);
    EXPECT_EQ(Planned{p.program}.columns, std::vector<Axes>{{data}});
}

TEST(Plan, HasNothingForWhatNoRuleCovers) {
    ShardedProgram p;
    const ValueId x = p.argument({16}, p.on({{data}}));
    p.returns({p.operation(Opcode::custom_call, {x}, {16}, ForeignCall{p.builder.name("mine"), no_name})});
    const Slots slots{p.program};
    const auto all = relations(p.program, slots);
    const Plan plan{p.program, slots, layouts_before(p.program, slots), all};
    EXPECT_EQ(plan.of(p.program[p.main].operations[0]), nullptr);
}

TEST(MadeAnywhere, AreConstantsAndRepeatedNumbers) {
    ShardedProgram p;
    const ValueId number = p.operation(Opcode::constant, {}, {});
    const ValueId filled = p.operation(Opcode::broadcast, {number}, {16, 16}, Dimensions{});
    const ValueId row = p.argument({16});
    const ValueId rows = p.operation(Opcode::broadcast, {row}, {16, 16}, Dimensions{{1}});
    EXPECT_TRUE(made_anywhere(p.program, number));
    EXPECT_TRUE(made_anywhere(p.program, filled));
    EXPECT_TRUE(made_anywhere(p.program, p.operation(Opcode::iota, {}, {16})));
    EXPECT_FALSE(made_anywhere(p.program, row));
    EXPECT_FALSE(made_anywhere(p.program, rows));
}

}  // namespace
}  // namespace dse::ir::partition
