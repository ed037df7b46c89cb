#include "dse/ir/partition/partition.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "ir/partition/sharded_program.hpp"

namespace dse::ir {
namespace {

using test::data;
using test::model;
using test::WrittenProgram;
using testing::ElementsAre;

using Sharded = test::ShardedProgram;

// The operations of the entry: "dot bf16[4,8]".
std::vector<std::string> lines(const Program& program) {
    std::vector<std::string> result;
    for (const Operation& operation : program[program.entry].operations)
        result.push_back(std::string{name(operation.opcode)} + ' ' +
                         program.types.text(program.type_of(Program::result(operation))));
    return result;
}

TEST(Partition, DataParallelProductsTalkToNobody) {
    Sharded s;
    const ValueId x = s.argument({16, 32}, s.on({{data}, {}}));
    const ValueId w = s.argument({32, 64}, s.on({{}, {}}));
    s.returns({s.product(x, w)});
    const Program local = partitioned(s.program);
    EXPECT_EQ(local.devices(), 8);
    EXPECT_TRUE(local.partitioned);
    EXPECT_THAT(lines(local), ElementsAre("dot bf16[4,64]"));
}

TEST(Partition, AContractionOverShardsIsAllReduced) {
    Sharded s;
    const ValueId x = s.argument({16, 32}, s.on({{}, {model}}));
    const ValueId w = s.argument({32, 64}, s.on({{model}, {}}));
    s.returns({s.product(x, w)});
    const Program local = partitioned(s.program);
    EXPECT_THAT(lines(local), ElementsAre("dot bf16[16,64]", "all_reduce bf16[16,64]"));
    const auto* communication = local.attribute_if<Communication>(local[local.entry].operations[1]);
    ASSERT_NE(communication, nullptr);
    EXPECT_THAT(communication->groups.members(8),
                ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(4, 5), ElementsAre(6, 7)));
}

// Megatron's MLP: columns, then rows; one all-reduce.
TEST(Partition, ColumnThenRowParallelReducesOnce) {
    Sharded s;
    const ValueId x = s.argument({16, 32}, s.on({{data}, {}}));
    const ValueId w1 = s.argument({32, 64}, s.on({{}, {model}}));
    const ValueId w2 = s.argument({64, 32}, s.on({{model}, {}}));
    const ValueId h = s.product(x, w1);
    const ValueId a = s.operation(Opcode::tanh, {h}, {16, 64});
    s.returns({s.product(a, w2)});
    EXPECT_THAT(lines(partitioned(s.program)),
                ElementsAre("dot bf16[4,32]", "tanh bf16[4,32]", "dot bf16[4,32]", "all_reduce bf16[4,32]"));
}

// FSDP: the batch and the weight's rows lie on the same axis. Gathering 32 × 8 elements of the weight moves
// less than gathering or reducing 4096 rows.
TEST(Partition, ShardedParametersAreGathered) {
    Sharded s;
    const ValueId x = s.argument({4096, 32}, s.on({{data}, {}}));
    const ValueId w = s.argument({32, 64}, s.on({{data}, {}}));
    s.returns({s.product(x, w)});
    EXPECT_THAT(lines(partitioned(s.program)), ElementsAre("all_gather bf16[32,64]", "dot bf16[1024,64]"));
}

// Its gradient: summed over the batch, and each device keeps its rows.
TEST(Partition, GradientsOfShardedParametersAreReducedAndSliced) {
    Sharded s;
    const ValueId x = s.argument({4096, 32}, s.on({{data}, {}}));
    const ValueId g = s.argument({4096, 64}, s.on({{data}, {}}));
    const ValueId dw = s.operation(Opcode::dot, {x, g}, {32, 64}, DotDimensions{{}, {}, {0}, {0}});
    s.returns({dw});
    s.program.computations[s.main.index()].result_shardings = {s.on({{data}, {}})};
    EXPECT_THAT(lines(partitioned(s.program)),
                ElementsAre("dot bf16[32,64]", "all_reduce bf16[32,64]", "dynamic_slice bf16[8,64]"));
}

// A vocabulary of 64 rows over two devices: each looks up what it has, and the rows are summed.
TEST(Partition, AShardedVocabularyIsLookedUpByAllItsOwners) {
    Sharded s;
    const ValueId table = s.argument({64, 32}, s.on({{model}, {}}));
    const ValueId tokens = s.argument({16, 1}, s.on({{data}, {}}));
    GatherDimensions rows;
    rows.offset = {1};
    rows.collapsed = {0};
    rows.start_index_map = {0};
    rows.index_vector = 1;
    rows.slice_sizes = {1, 32};
    s.returns({s.operation(Opcode::gather, {table, tokens}, {16, 32}, rows)});
    EXPECT_THAT(lines(partitioned(s.program)), ElementsAre("gather bf16[4,32]", "all_reduce bf16[4,32]"));
}

TEST(Partition, HeadsAreFactorsOfAReshapedDimension) {
    Sharded s;
    const ValueId x = s.argument({16, 64}, s.on({{data}, {model}}));
    const ValueId heads = s.operation(Opcode::reshape, {x}, {16, 8, 8});
    const ValueId turned = s.operation(Opcode::transpose, {heads}, {8, 16, 8}, Dimensions{{1, 0, 2}});
    s.returns({turned});
    EXPECT_THAT(lines(partitioned(s.program)), ElementsAre("reshape bf16[4,4,8]", "transpose bf16[4,4,8]"));
}

// Sequence parallelism: the rows that three projections read are gathered once, though for a small one alone
// it would be cheaper to gather its weight.
TEST(Partition, MovesAValueOnceForAllItsReaders) {
    Sharded s;
    const ValueId x = s.argument({4096, 64}, s.on({{data}, {}}));
    const ValueId q = s.product(x, s.argument({64, 4096}, s.on({{}, {data}})));
    const ValueId k = s.product(x, s.argument({64, 16}, s.on({{}, {data}})));
    s.returns({q, k});
    s.program.computations[s.main.index()].result_shardings = {s.on({{}, {data}}), s.on({{}, {data}})};
    EXPECT_THAT(lines(partitioned(s.program)),
                ElementsAre("all_gather bf16[4096,64]", "dot bf16[4096,1024]", "dot bf16[4096,4]"));
}

TEST(Partition, PadsWhatDoesNotDivide) {
    Sharded s;
    const ValueId x = s.argument({10, 3}, s.on({{data}, {}}));
    s.returns({s.operation(Opcode::negate, {x}, {10, 3})});
    s.program.values[s.program[s.main].results[0].index()].sharding = s.on({{data}, {}});
    EXPECT_THAT(lines(partitioned(s.program)), ElementsAre("negate bf16[3,3]"));  // ⌈10 / 4⌉
}

TEST(Partition, RefusesWhatItDoesNotKnowByName) {
    Sharded s;
    const ValueId x = s.argument({16, 32}, s.on({{data}, {}}));
    s.returns(
        {s.operation(Opcode::custom_call, {x}, {16, 32}, ForeignCall{s.builder.name("mine"), no_name})});
    try {
        partitioned(s.program);
        FAIL() << "no error";
    } catch (const ModelError& error) {
        EXPECT_STREQ(
            error.what(),
            "line 2: 'stablehlo.custom_call' is not partitioned: capture the program after partitioning");
    }
}

TEST(Partition, RefusesAProgramWithoutShardings) {
    WrittenProgram s;
    s.program.partitioned = false;
    s.returns({s.argument({4})});
    EXPECT_THROW(partitioned(s.program), ModelError);
}

double dot_flop(const Program& program) {
    double flop = 0;
    for (const Operation& operation : program[program.entry].operations) {
        if (operation.opcode != Opcode::dot) continue;
        const double contracted =
            static_cast<double>(program.types[program.type_of(program.operands(operation)[0])].sizes[1]);
        flop += 2 * program.types.elements(program.type_of(Program::result(operation))) * contracted;
    }
    return flop;
}

// Where everything divides, each multiplication is done by as many devices as the layout repeats it for,
// never lost: local FLOPs × devices are a whole multiple of the program's, and equal where both axes shard
// every product.
TEST(Partition, LosesNoFlops) {
    std::mt19937_64 random{11};
    for (int i = 0; i < 300; ++i) {
        Sharded s;
        const auto some = [&](std::size_t rank) {
            std::vector<std::vector<AxisRef>> axes(rank);
            for (const AxisRef& axis : {data, model})
                if (random() % 3 != 0) axes[random() % rank].push_back(axis);
            return s.on(std::move(axes));
        };
        ValueId x = s.argument({64, 32}, some(2));
        for (int layer = 0; layer < 3; ++layer) {
            x = s.product(x, s.argument({32, 32}, some(2)));
            if (random() % 2 == 0) x = s.operation(Opcode::add, {x, s.argument({64, 32}, some(2))}, {64, 32});
        }
        s.returns({x});
        const double global = dot_flop(s.program);
        const Program local = partitioned(s.program);
        EXPECT_GE(dot_flop(local) * 8, global) << i;
        EXPECT_LE(dot_flop(local), global) << i;
    }
}

}  // namespace
}  // namespace dse::ir
