// Also tests: passes/uses.cpp
#include "dse/ir/passes/reduce_scatter.hpp"

#include <gtest/gtest.h>

#include "support/program_maker.hpp"

namespace dse::ir {
namespace {

using test::ProgramMaker;

// An all-reduce over 4 devices, of which a slice of `share` rows of 8 is read.
struct SlicedSum {
    ProgramMaker maker;
    ValueId sum;
    ValueId slice;
    explicit SlicedSum(std::int64_t share) {
        maker.program.partitions = 4;
        maker.open_entry();
        const auto x = maker.argument(maker.bf16({8, 16}));
        const auto offset = maker.argument(maker.array(ElementType::s32, {}));
        sum = maker.op(Opcode::all_reduce, maker.bf16({8, 16}), {x},
                       ProgramMaker::groups(DeviceGroups::iota(1, 4, {4}, {})));
        slice = maker.op(Opcode::dynamic_slice, maker.bf16({share, 16}), {sum, offset, offset},
                         SliceSizes{{share, 16}});
        maker.results({maker.op(Opcode::negate, maker.bf16({share, 16}), {slice})});
    }
};

// As partitioners write it: each keeps the part of its number. Parts of other groups are no shares of the
// sum.
TEST(ReduceScatter, TakesPartsOfTheGroupsThatSum) {
    for (const bool same : {true, false}) {
        ProgramMaker maker;
        maker.program.partitions = 8;
        maker.open_entry();
        const DeviceGroups rows = DeviceGroups::iota(2, 4, {8}, {});
        const DeviceGroups columns = DeviceGroups::iota(2, 4, {4, 2}, {1, 0});
        const auto sum = maker.op(Opcode::all_reduce, maker.bf16({8, 16}),
                                  {maker.argument(maker.bf16({8, 16}))}, ProgramMaker::groups(rows));
        maker.results(
            {maker.op(Opcode::dynamic_slice, maker.bf16({2, 16}), {sum}, OwnPart{same ? rows : columns, 0})});
        const Program result = create_reduce_scatters(maker.program);
        EXPECT_EQ(result[result.entry].operations[0].opcode,
                  same ? Opcode::reduce_scatter : Opcode::all_reduce);
    }
}

TEST(ReduceScatter, AnAllReduceThatIsOnlySlicedBecomesOne) {
    const SlicedSum sliced(2);
    const Program result = create_reduce_scatters(sliced.maker.program);
    validate(result);
    const auto& operations = result[result.entry].operations;
    ASSERT_EQ(operations.size(), 2);
    EXPECT_EQ(operations[0].opcode, Opcode::reduce_scatter);
    EXPECT_EQ(result.types.text(result.type_of(Program::result(operations[0]))), "bf16[2,16]");
    EXPECT_EQ(result.attribute_if<Communication>(operations[0])->dimension, 0);
    EXPECT_EQ(result.operands(operations[1])[0], Program::result(operations[0]));
}

TEST(ReduceScatter, NotWhereTheSliceIsNoDevicesShare) {
    const SlicedSum sliced(4);
    const Program result = create_reduce_scatters(sliced.maker.program);
    EXPECT_EQ(result[result.entry].operations.front().opcode, Opcode::all_reduce);
}

TEST(ReduceScatter, NotWhereSomebodyElseReadsTheSum) {
    SlicedSum sliced(2);
    sliced.maker.results({sliced.slice, sliced.sum});
    const Program result = create_reduce_scatters(sliced.maker.program);
    EXPECT_EQ(result[result.entry].operations.front().opcode, Opcode::all_reduce);
    EXPECT_EQ(result[result.entry].results.size(), 2);
}

}  // namespace
}  // namespace dse::ir
