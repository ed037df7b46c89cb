// Also tests: passes/late_readers.cpp
#include "dse/ir/passes/collective_order.hpp"

#include <random>
#include <set>

#include <gtest/gtest.h>

#include "dse/ir/program/cost/program_cost.hpp"
#include "ir/passes/symbolic_run.hpp"
#include "support/program_maker.hpp"

namespace dse::ir {
namespace {

using test::ProgramMaker;

std::vector<std::uint32_t> lines(const Program& program) {
    std::vector<std::uint32_t> result;
    for (const Operation& operation : program[program.entry].operations) result.push_back(operation.line);
    return result;
}

// Three layers of a sharded model: each gathers its weights after a cast, then multiplies.
// Lines: 1 cast, 2 gather, 3 dot, 4 cast, 5 gather, 6 dot, 7 cast, 8 gather, 9 dot.
struct Sharded {
    ProgramMaker maker;
    Sharded() {
        maker.open_entry();
        const auto whole = maker.bf16({8, 8});
        const auto shard = maker.bf16({4, 8});
        auto x = maker.argument(whole);
        for (int layer = 0; layer < 3; ++layer) {
            const auto w = maker.argument(maker.array(ElementType::f32, {4, 8}));
            const auto cast = maker.op(Opcode::convert, shard, {w});
            const auto gathered = maker.op(Opcode::all_gather, whole, {cast},
                                           ProgramMaker::groups(DeviceGroups::iota(1, 2, {2}, {})));
            x = maker.dot(whole, x, gathered);
        }
        maker.results({x});
    }
};

TEST(CollectiveOrder, EarliestGathersEverythingInFront) {
    const Sharded sharded;
    const Program result = reorder_collectives(sharded.maker.program, as_many_as_there_are);
    validate(result);
    EXPECT_EQ(lines(result), (std::vector<std::uint32_t>{1, 2, 4, 5, 7, 8, 3, 6, 9}));
}

TEST(CollectiveOrder, OneAheadAGatherOverlapsTheLayerBefore) {
    const Sharded sharded;
    EXPECT_EQ(lines(reorder_collectives(sharded.maker.program, 1)),
              (std::vector<std::uint32_t>{1, 2, 4, 5, 3, 7, 8, 6, 9}));
}

TEST(CollectiveOrder, NoneAheadNothingMoves) {
    const Sharded sharded;
    EXPECT_EQ(lines(reorder_collectives(sharded.maker.program, 0)), lines(sharded.maker.program));
}

TEST(CollectiveOrder, ACollectiveStaysBehindWhatItReads) {
    ProgramMaker maker;
    maker.open_entry();
    const auto type = maker.bf16({8, 8});
    const auto x = maker.argument(type);
    const auto y = maker.dot(type, x, x);
    const auto z = maker.op(Opcode::tanh, type, {x});
    const auto sum =
        maker.op(Opcode::all_reduce, type, {y}, ProgramMaker::groups(DeviceGroups::iota(1, 2, {2}, {})));
    maker.results({maker.op(Opcode::add, type, {z, sum})});
    EXPECT_EQ(lines(reorder_collectives(maker.program, as_many_as_there_are)),
              (std::vector<std::uint32_t>{1, 3, 2, 4}));
}

// 1 dot, 2 cast, 3 gather of the cast, 4 dot; the cast is a result as well.
TEST(CollectiveOrder, ACastThatOthersReadTravelsAlong) {
    ProgramMaker maker;
    maker.open_entry();
    const auto whole = maker.bf16({8, 8});
    const auto groups = ProgramMaker::groups(DeviceGroups::iota(1, 2, {2}, {}));
    const auto x = maker.argument(whole);
    const auto w = maker.argument(maker.array(ElementType::f32, {4, 8}));
    const auto y = maker.dot(whole, x, x);
    const auto cast = maker.op(Opcode::convert, maker.bf16({4, 8}), {w});
    const auto gathered = maker.op(Opcode::all_gather, whole, {cast}, groups);
    const auto z = maker.dot(whole, y, gathered);
    maker.results({z, cast});
    EXPECT_EQ(lines(reorder_collectives(maker.program, as_many_as_there_are)),
              (std::vector<std::uint32_t>{2, 3, 1, 4}));
}

// Parameters stand where they are read first: they are no reason to wait.
TEST(CollectiveOrder, AGatherPassesParameters) {
    ProgramMaker maker;
    maker.open_entry();
    const auto whole = maker.bf16({8, 8});
    const auto x = maker.op(Opcode::parameter, whole, {}, Index{0});
    const auto y = maker.dot(whole, x, x);
    const auto w = maker.op(Opcode::parameter, maker.bf16({4, 8}), {}, Index{1});
    const auto gathered =
        maker.op(Opcode::all_gather, whole, {w}, ProgramMaker::groups(DeviceGroups::iota(1, 2, {2}, {})));
    maker.results({maker.dot(whole, y, gathered)});
    EXPECT_EQ(lines(reorder_collectives(maker.program, as_many_as_there_are)),
              (std::vector<std::uint32_t>{1, 3, 4, 2, 5}));
}

/// Three gradients, each reduced, scaled, and added to its parameter, which is a result. Lines: 1 dot,
/// 2 reduction, 3 scale, 4 add; 5 dot, 6 reduction, 7 scale, 8 add; 9 dot, 10 reduction, 11 scale, 12 add.
struct Trained {
    ProgramMaker maker;
    Trained() {
        maker.open_entry();
        const auto type = maker.bf16({8, 8});
        const auto groups = ProgramMaker::groups(DeviceGroups::iota(1, 2, {2}, {}));
        const auto x = maker.argument(type);
        std::vector<ValueId> parameters;
        for (int layer = 0; layer < 3; ++layer) {
            const auto w = maker.argument(type);
            const auto sum = maker.op(Opcode::all_reduce, type, {maker.dot(type, x, w)}, groups);
            const auto scaled = maker.op(Opcode::multiply, type, {sum, sum});
            parameters.push_back(maker.op(Opcode::add, type, {w, scaled}));
        }
        maker.results(parameters);
    }
};

TEST(CollectiveOrder, OptimizersWaitForTheNextReduction) {
    const Trained trained;
    const Program result = reorder_collectives(trained.maker.program, 1);
    validate(result);
    // The first one's follow the second product, beside which its reduction runs.
    EXPECT_EQ(lines(result), (std::vector<std::uint32_t>{1, 2, 5, 6, 3, 4, 9, 10, 7, 8, 11, 12}));
    EXPECT_EQ(lines(reorder_collectives(trained.maker.program, 0)), lines(trained.maker.program));
}

TEST(CollectiveOrder, OptimizersWaitForTheLastOfAllReductions) {
    const Trained trained;
    EXPECT_EQ(lines(reorder_collectives(trained.maker.program, as_many_as_there_are)),
              (std::vector<std::uint32_t>{1, 2, 5, 6, 9, 10, 3, 4, 7, 8, 11, 12}));
}

// 1 dot, 2 reduction, 3 scale, 4 dot that reads it, 5 dot, 6 reduction: a product needs what was scaled.
TEST(CollectiveOrder, WhatProductsReadIsNotPutOff) {
    ProgramMaker maker;
    maker.open_entry();
    const auto type = maker.bf16({8, 8});
    const auto groups = ProgramMaker::groups(DeviceGroups::iota(1, 2, {2}, {}));
    const auto x = maker.argument(type);
    const auto sum = maker.op(Opcode::all_reduce, type, {maker.dot(type, x, x)}, groups);
    const auto scaled = maker.op(Opcode::multiply, type, {sum, sum});
    const auto y = maker.dot(type, scaled, x);
    maker.results({scaled, maker.op(Opcode::all_reduce, type, {maker.dot(type, y, x)}, groups)});
    EXPECT_EQ(lines(reorder_collectives(maker.program, as_many_as_there_are)),
              (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6}));
}

TEST(CollectiveOrder, RandomProgramsKeepTheirOperationsAndDefineBeforeUse) {
    std::mt19937 random{5};
    for (int round = 0; round < 200; ++round) {
        ProgramMaker maker;
        maker.open_entry();
        const auto type = maker.bf16({8, 8});
        std::vector<ValueId> values{maker.argument(type)};
        const auto any = [&] { return values[random() % values.size()]; };
        for (int i = 0; i < 15; ++i) {
            switch (random() % 5) {
                case 4:
                    values.push_back(maker.op(Opcode::add, type, {any(), any()}));
                    break;
                case 2:
                    values.push_back(maker.op(Opcode::dynamic_slice, type, {any(), any()}));
                    break;
                case 0:
                    values.push_back(maker.op(Opcode::all_reduce, type, {any()},
                                              ProgramMaker::groups(DeviceGroups::iota(1, 2, {2}, {}))));
                    break;
                case 1:
                    values.push_back(maker.op(Opcode::convert, type, {any()}));
                    break;
                default:
                    values.push_back(maker.dot(type, any(), any()));
            }
        }
        maker.results({values.back(), any(), any()});
        for (const std::int64_t ahead : {std::int64_t{0}, std::int64_t{1}, as_many_as_there_are}) {
            const Program after = reorder_collectives(maker.program, ahead);
            validate(after);
            const auto found = lines(after);
            ASSERT_EQ(std::set(found.begin(), found.end()).size(), 15);
            for (const Operation& operation : after[after.entry].operations) {
                for (const ValueId operand : after.operands(operation))
                    ASSERT_LT(after[operand].operation, after[Program::result(operation)].operation);
            }
            ASSERT_EQ(program_cost(after).once, program_cost(maker.program).once);
            ASSERT_EQ(test::SymbolicRun{after}.results(), test::SymbolicRun{maker.program}.results());
        }
    }
}

}  // namespace
}  // namespace dse::ir
