#include "dse/ir/passes/blocking_collectives.hpp"

#include <gtest/gtest.h>

#include "dse/ir/program/cost/program_cost.hpp"
#include "support/program_maker.hpp"

namespace dse::ir {
namespace {

using test::ProgramMaker;

TEST(BlockingCollectives, StandWhereTheyStoodAndDoTheSame) {
    ProgramMaker maker;
    maker.program.partitions = 4;
    maker.open_entry();
    const auto x = maker.argument(maker.bf16({8, 16}));
    const auto minus = maker.op(Opcode::negate, maker.bf16({8, 16}), {x});
    const auto sum = maker.op(Opcode::all_reduce, maker.bf16({8, 16}), {minus},
                              ProgramMaker::groups(DeviceGroups::iota(1, 4, {4}, {})));
    maker.results({maker.op(Opcode::negate, maker.bf16({8, 16}), {sum})});
    const Program result = block_collectives(maker.program);
    validate(result);
    const auto& before = maker.program[maker.program.entry].operations;
    const auto& after = result[result.entry].operations;
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < after.size(); ++i) {
        EXPECT_EQ(after[i].opcode, before[i].opcode);
        EXPECT_EQ(after[i].blocks, after[i].opcode == Opcode::all_reduce);
    }
    EXPECT_EQ(program_cost(result).by_trips.bytes, program_cost(maker.program).by_trips.bytes);
}

}  // namespace
}  // namespace dse::ir
