#include "dse/ir/passes/bucket_collectives.hpp"

#include <random>

#include <gtest/gtest.h>

#include "dse/ir/program/cost/program_cost.hpp"
#include "support/program_maker.hpp"

namespace dse::ir {
namespace {

using test::ProgramMaker;

Communication pair() {
    return ProgramMaker::groups(DeviceGroups::iota(1, 2, {2}, {}));
}

// Gradients of 128 bytes each, reduced as they come, read at the end.
struct Gradients {
    ProgramMaker maker;
    explicit Gradients(int count) {
        maker.open_entry();
        const auto type = maker.bf16({8, 8});
        const auto x = maker.argument(type);
        std::vector<ValueId> sums;
        for (int i = 0; i < count; ++i)
            sums.push_back(maker.op(Opcode::wait, type,
                                    {maker.op(Opcode::all_reduce, type, {maker.dot(type, x, x)}, pair())}));
        maker.results(sums);
    }
};

std::vector<std::uint32_t> sizes(const Program& program) {
    std::vector<std::uint32_t> result;
    for (const Operation& operation : program[program.entry].operations) {
        if (operation.opcode == Opcode::all_reduce) result.push_back(operation.results.count);
    }
    return result;
}

TEST(BucketCollectives, FillsBucketsInOrder) {
    const Gradients gradients(5);
    const Program result = bucket_collectives(gradients.maker.program, Bytes{256});
    validate(result);
    EXPECT_EQ(sizes(result), (std::vector<std::uint32_t>{2, 2, 1}));
    EXPECT_EQ(result[result.entry].results.size(), 5);
}

TEST(BucketCollectives, WhatIsReadInBetweenIsNotPutOff) {
    ProgramMaker maker;
    maker.open_entry();
    const auto type = maker.bf16({8, 8});
    const auto x = maker.argument(type);
    const auto first = maker.op(Opcode::all_reduce, type, {x}, pair());
    const auto read = maker.op(Opcode::tanh, type, {first});
    maker.results({maker.op(Opcode::all_reduce, type, {read}, pair())});
    EXPECT_EQ(sizes(bucket_collectives(maker.program, Bytes{1e9})), (std::vector<std::uint32_t>{1, 1}));
}

TEST(BucketCollectives, RandomProgramsKeepBytesAndDefineBeforeUse) {
    std::mt19937 random{7};
    for (int round = 0; round < 200; ++round) {
        ProgramMaker maker;
        maker.open_entry();
        const auto type = maker.bf16({8, 8});
        std::vector<ValueId> values{maker.argument(type)};
        const auto any = [&] { return values[random() % values.size()]; };
        for (int i = 0; i < 20; ++i) {
            switch (random() % 4) {
                case 0:
                    values.push_back(maker.op(Opcode::all_reduce, type, {any()}, pair()));
                    break;
                case 1:
                    values.push_back(maker.op(Opcode::all_gather, type, {any()}, pair()));
                    break;
                case 2:
                    values.push_back(maker.op(Opcode::wait, type, {any()}));
                    break;
                default:
                    values.push_back(maker.op(Opcode::add, type, {any(), any()}));
            }
        }
        maker.results({values.back()});
        const Program after = bucket_collectives(maker.program, Bytes{128.0 * (1 + random() % 5)});
        validate(after);
        for (const Operation& operation : after[after.entry].operations) {
            for (const ValueId operand : after.operands(operation))
                ASSERT_LT(after[operand].operation, after[Program::result(operation)].operation);
        }
        const ProgramCost before = program_cost(maker.program);
        const ProgramCost found = program_cost(after);
        ASSERT_EQ(found.once.flops, before.once.flops);
        ASSERT_EQ(found.collectives.size(), before.collectives.size());
        for (std::size_t i = 0; i < found.collectives.size(); ++i)
            ASSERT_EQ(found.collectives[i].bytes, before.collectives[i].bytes);
    }
}

}  // namespace
}  // namespace dse::ir
