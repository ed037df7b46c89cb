#include "dse/ir/partition/partition.hpp"

#include <array>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/ir/readers/mlir/read_mlir.hpp"
#include "ir/partition/sharded_program.hpp"
#include "support/error_message.hpp"

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

// One function, called for rows and for columns: no call binds the other.
TEST(Partition, LaysOutEachCallOfAFunctionForItself) {
    Sharded s;
    const ComputationId twice = s.builder.computation("twice", 1);
    const ValueId x = s.builder.argument(twice, s.array({16, 32}));
    const std::vector<ValueId> both{x, x};
    const std::vector<TypeId> type{s.array({16, 32})};
    s.builder.results(twice, std::vector<ValueId>{s.builder.value(
                                 twice, {.opcode = Opcode::add, .operands = both, .results = type})});
    const auto call = [&](ValueId operand) {
        const std::vector<ValueId> operands{operand};
        const std::vector<ComputationId> called{twice};
        return s.builder.value(
            s.main, {.opcode = Opcode::call, .operands = operands, .results = type, .called = called});
    };
    s.returns(
        {call(s.argument({16, 32}, s.on({{data}, {}}))), call(s.argument({16, 32}, s.on({{}, {model}})))});
    EXPECT_THAT(lines(partitioned(s.program)), ElementsAre("add bf16[4,32]", "add bf16[16,16]"));
}

// Rows added into a table of zeros that is to lie on its columns: the rows' sums are scattered, and the zeros
// are made whole where they are needed, not gathered.
TEST(Partition, MakesConstantsWhereTheyAreNeeded) {
    Sharded s;
    const ValueId zero = s.operation(Opcode::constant, {}, {});
    const ValueId zeros = s.operation(Opcode::broadcast, {zero}, {64, 32}, Dimensions{});
    s.program.values[zeros.index()].sharding = s.on({{}, {data}});
    const ValueId sum = s.operation(Opcode::add, {zeros, s.argument({64, 32}, s.on({{}, {}}))}, {64, 32});
    s.program.values[sum.index()].sharding = s.on({{}, {}});
    s.returns({sum});
    EXPECT_THAT(lines(partitioned(s.program)), ElementsAre("constant bf16[]", "broadcast bf16[64,8]",
                                                           "broadcast bf16[64,32]", "add bf16[64,32]"));
}

// A gradient summed over both axes, of a weight on one: scattered over it, then an eighth is summed.
TEST(Partition, ScattersBeforeItSumsTheRest) {
    Sharded s;
    const ValueId x = s.argument({4096, 32}, s.on({{data, model}, {}}));
    const ValueId g = s.argument({4096, 64}, s.on({{data, model}, {}}));
    const ValueId dw = s.operation(Opcode::dot, {x, g}, {32, 64}, DotDimensions{{}, {}, {0}, {0}});
    s.returns({dw});
    s.program.computations[s.main.index()].result_shardings = {s.on({{data}, {}})};
    EXPECT_THAT(lines(partitioned(s.program)),
                ElementsAre("dot bf16[32,64]", "all_reduce bf16[32,64]", "dynamic_slice bf16[8,64]",
                            "all_reduce bf16[8,64]"));
}

struct Structured : Sharded {
    TypeId tuple_type(std::vector<TypeId> members) {
        Type type;
        type.kind = Type::Kind::tuple;
        type.members = std::move(members);
        return program.types.add(std::move(type));
    }
    ValueId value(Opcode opcode, const std::vector<ValueId>& operands, TypeId result, ShardingId sharding,
                  const std::vector<ComputationId>& called = {}, const Attribute& attribute = {}) {
        const std::array results{result};
        const ValueId made = builder.value(main, {.opcode = opcode,
                                                  .operands = operands,
                                                  .results = results,
                                                  .called = called,
                                                  .attribute = builder.attribute(attribute),
                                                  .line = ++line});
        program.values[made.index()].sharding = sharding;
        return made;
    }
    TypeId matrix{array({16, 32})};
    ShardingId by_rows{on({{data}, {}})};
    ShardingId by_columns{on({{}, {data}})};
};

TEST(Partition, MovesElementsOfTuplesToWhereTheTupleLies) {
    Structured s;
    const ValueId x = s.argument({16, 32}, s.by_rows);
    s.returns({s.value(Opcode::tuple, {x}, s.tuple_type({s.matrix}), s.by_columns)});
    EXPECT_THAT(lines(partitioned(s.program)), ElementsAre("all_to_all bf16[16,8]", "tuple (bf16[16,8])"));
}

TEST(Partition, MovesWhatIsTakenOutOfATuple) {
    Structured s;
    const ShardingId stated = s.builder.sharding({Sharded::sharding({{}}), Sharded::sharding({{data}, {}})});
    const ValueId pair = s.builder.argument(s.main, s.tuple_type({s.array({8}), s.matrix}), stated);
    s.returns({s.value(Opcode::get_tuple_element, {pair}, s.matrix, s.by_columns, {}, Index{1})});
    EXPECT_THAT(lines(partitioned(s.program)),
                ElementsAre("get_tuple_element bf16[4,32]", "all_to_all bf16[16,8]"));
}

// It is taken apart and made again.
TEST(Partition, MovesWholeTuples) {
    Structured s;
    const ValueId x = s.argument({16, 32}, s.by_rows);
    const ValueId inner = s.value(Opcode::tuple, {x}, s.tuple_type({s.matrix}), s.by_rows);
    s.returns({inner});
    s.program.computations[s.main.index()].result_shardings = {s.by_columns};
    EXPECT_THAT(lines(partitioned(s.program)),
                ElementsAre("tuple (bf16[4,32])", "get_tuple_element bf16[4,32]", "all_to_all bf16[16,8]",
                            "tuple (bf16[16,8])"));
}

// HLO's, with an operand for each branch: only the one that lies otherwise inside is moved.
TEST(Partition, MovesOperandsToWhereBranchesHaveThem) {
    Structured s;
    const auto branch = [&](std::string_view name) {
        const ComputationId id = s.builder.computation(name, ++s.line);
        s.builder.results(id, std::array{s.builder.argument(id, s.matrix, s.by_columns)});
        return id;
    };
    const std::vector branches{branch("then"), branch("else")};
    const ValueId choice = s.argument({});
    const ValueId rows = s.argument({16, 32}, s.by_rows);
    const ValueId columns = s.argument({16, 32}, s.by_columns);
    s.returns({s.value(Opcode::conditional, {choice, rows, columns}, s.matrix, s.by_columns, branches)});
    const Program local = partitioned(s.program);
    EXPECT_THAT(lines(local), ElementsAre("all_to_all bf16[16,8]", "conditional bf16[16,8]"));
    const auto operands = local.operands(local[local.entry].operations[1]);
    EXPECT_EQ(operands[1], Program::result(local[local.entry].operations[0]));
    EXPECT_EQ(operands[2], local[local.entry].arguments[2]);
}

TEST(Partition, LeavesOnlyCollectivesOfDataFlowEdges) {
    Structured s;
    const ValueId x = s.argument({16, 32}, s.by_rows);
    const ValueId edge = s.value(Opcode::data_flow_edge, {x}, s.matrix, no_sharding);
    const ValueId moved = s.value(Opcode::data_flow_edge, {edge}, s.matrix, s.by_columns);
    s.returns({moved});
    EXPECT_THAT(lines(partitioned(s.program)), ElementsAre("all_to_all bf16[16,8]"));
}

TEST(Partition, RefusesAManualComputationOfAnotherRank) {
    Structured s;
    const ComputationId body = s.builder.computation("body", 2);
    s.builder.results(body, std::array{s.builder.argument(body, s.array({4, 32}))});
    ManualComputation manual;
    manual.in = {Sharded::sharding({{data}})};
    manual.out = {Sharded::sharding({{data}, {}})};
    const ValueId x = s.argument({16, 32}, s.by_rows);
    s.returns({s.value(Opcode::manual_computation, {x}, s.matrix, s.by_rows, {body}, manual)});
    try {
        partitioned(s.program);
        FAIL() << "no error";
    } catch (const ModelError& error) {
        EXPECT_STREQ(error.what(), "line 2: a sharding of 1 dimensions belongs to an array of 2 dimensions");
    }
}

TEST(Partition, PadsWhatDoesNotDivide) {
    Sharded s;
    const ValueId x = s.argument({10, 3}, s.on({{data}, {}}));
    s.returns({s.operation(Opcode::negate, {x}, {10, 3})});
    s.program.values[s.program[s.main].results[0].index()].sharding = s.on({{data}, {}});
    EXPECT_THAT(lines(partitioned(s.program)), ElementsAre("negate bf16[3,3]"));  // ⌈10 / 4⌉
}

std::string refusal_of_call(std::string_view target) {
    Sharded s;
    const ValueId x = s.argument({16, 32}, s.on({{data}, {}}));
    s.returns(
        {s.operation(Opcode::custom_call, {x}, {16, 32}, ForeignCall{s.builder.name(target), no_name})});
    return dse::test::error_message<ModelError>([&] { partitioned(s.program); });
}

TEST(Partition, RefusesWhatItDoesNotKnowByName) {
    EXPECT_EQ(refusal_of_call("mine"),
              "line 2: 'mine' is not partitioned: capture the program after partitioning");
    EXPECT_THAT(refusal_of_call("CustomSPMDPartitioning"), ::testing::HasSubstr("a function of Python"));
}

// shard_map under GSPMD: rows in fours, doubled by hand on each device, and whole rows again.
struct Bordered : Sharded {
    explicit Bordered(Sizes inside) {
        const ValueId x = argument({16, 32}, on({{data}, {}}));
        const ValueId part = call("SPMDFullToShardShape", x, inside, Sharding::Kind::manual);
        const ValueId twice = operation(Opcode::add, {part, part}, inside);
        const ValueId whole = call("SPMDShardToFullShape", twice, {16, 32}, Sharding::Kind::tiled);
        program.values[whole.index()].sharding = on({{data}, {}});
        returns({operation(Opcode::negate, {whole}, {16, 32})});
    }
    ValueId call(std::string_view target, ValueId operand, const Sizes& result, Sharding::Kind kind) {
        const ValueId value =
            operation(Opcode::custom_call, {operand}, result, ForeignCall{builder.name(target), no_name});
        Sharding stated;
        stated.kind = kind;
        program.values[value.index()].sharding = builder.sharding({stated});
        return value;
    }
};

TEST(Partition, TakesWhatIsWrittenForOneDeviceAsItStands) {
    EXPECT_THAT(lines(partitioned(Bordered{{4, 32}}.program)),
                ElementsAre("add bf16[4,32]", "negate bf16[4,32]"));
}

TEST(Partition, RefusesBordersOfSomeAxesOnly) {
    EXPECT_THROW(partitioned(Bordered{{2, 32}}.program), ModelError);
}

// Stages by hand, tensor parallelism left to the partitioner: what lies on its axes outside does so inside.
constexpr const char* staged = R"(module {
  sdy.mesh @mesh = <["stage"=4, "model"=2]>
  func.func public @main(%x: tensor<4x16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"stage"}, {}, {"model"}]>},
                         %w: tensor<4x32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"stage"}, {"model"}, {}]>})
      -> (tensor<4x16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"stage"}, {}, {}]>}) {
    %0 = sdy.manual_computation(%x, %w) in_shardings=[<@mesh, [{"stage", ?}, {?}, {?}]>, <@mesh, [{"stage", ?}, {?}, {?}]>] out_shardings=[<@mesh, [{"stage", ?}, {?}, {?}]>] manual_axes={"stage"} (%a: tensor<1x16x32xf32>, %b: tensor<1x32x64xf32>) {
      %1 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x16x32xf32>, tensor<1x32x64xf32>) -> tensor<1x16x64xf32>
      sdy.return %1 : tensor<1x16x64xf32>
    } : (tensor<4x16x32xf32>, tensor<4x32x64xf32>) -> tensor<4x16x64xf32>
    return %0 : tensor<4x16x64xf32>
  }
}
)";

TEST(Partition, CutsWhatIsByHandAlongItsOtherAxesToo) {
    const Program local = partitioned(read_mlir(Source::text(staged, "staged.mlir")));
    std::vector<std::string> body;
    for (const Operation& operation : local[local.entry].operations)
        for (const ComputationId id : local.called(operation))
            for (const Operation& inner : local[id].operations)
                if (inner.results.count == 1)
                    body.push_back(std::string{name(inner.opcode)} + ' ' +
                                   local.types.text(local.type_of(Program::result(inner))));
    EXPECT_THAT(body, ElementsAre("dot f32[1,16,64]", "all_reduce f32[1,16,64]"));
    EXPECT_EQ(local[local.entry].operations[0].opcode, Opcode::manual_computation);
    const auto& arguments = local[local.entry].arguments;
    EXPECT_EQ(local.types.text(local.type_of(arguments[0])), "f32[1,16,16]");
    EXPECT_EQ(local.types.text(local.type_of(arguments[1])), "f32[1,16,64]");
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
