// Also tests: passes/carried_values.cpp, passes/loop_slices.cpp, passes/loop_plan.cpp
// Also tests: passes/slice_copier.cpp, passes/rewriter.cpp
#include "dse/ir/passes/collective_pipelining.hpp"

#include <algorithm>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "dse/ir/program/cost/program_cost.hpp"
#include "dse/ir/readers/hlo/read_hlo.hpp"
#include "dse/ir/readers/read_program.hpp"
#include "ir/passes/symbolic_run.hpp"
#include "ir/program/trip_count.hpp"
#include "support/program_maker.hpp"
#include "support/source_dir.hpp"

namespace dse::ir {
namespace {

using test::ProgramMaker;
using test::SymbolicRun;

std::vector<Opcode> opcodes(const Program& program, ComputationId id) {
    std::vector<Opcode> result;
    for (const Operation& operation : program[id].operations) {
        const OpcodeClass kind = opcode_class(operation.opcode);
        const bool scalar = operation.results.count == 1 &&
                            program.types.elements(program.type_of(Program::result(operation))) <= 1.0;
        if (kind != OpcodeClass::bookkeeping && !scalar) result.push_back(operation.opcode);
    }
    return result;
}

const Operation* loop_of(const Program& program) {
    for (const Operation& operation : program[program.entry].operations) {
        if (operation.opcode == Opcode::while_loop) return &operation;
    }
    return nullptr;
}

void expect_same_work(const Program& before, const Program& after) {
    validate(after);
    const SymbolicRun one(before);
    const SymbolicRun other(after);
    EXPECT_EQ(one.results(), other.results());
    EXPECT_EQ(one.made(), other.made());
}

// A loop over `layers` layers, i from 0: slice i of the stacked weights is gathered, x multiplied with it;
// and the gradient of each, a product that is scattered, goes to slice i of the stack of gradients. Lines of
// the body: 1 zero, 2 slice, 3 gather, 4 dot, 5 dot, 6 scatter, 7 convert, 8 update, 9 one, 10 add.
struct Layers {
    ProgramMaker maker;
    explicit Layers(std::int64_t layers, bool known = true) {
        const auto index = maker.array(ElementType::s32, {});
        const auto whole = maker.bf16({8, 8});
        const auto shard = maker.bf16({1, 4, 8});
        const auto stack = maker.bf16({layers, 4, 8});
        const auto groups = ProgramMaker::groups(DeviceGroups::iota(1, 2, {2}, {}));
        const ComputationId body = maker.open("body");
        auto i = maker.argument(index);
        const auto x = maker.argument(whole);
        const auto weights = maker.argument(stack);
        const auto gradients = maker.argument(stack);
        const auto zero = maker.op(Opcode::constant, index, {}, Literal{0});
        const auto w =
            maker.op(Opcode::dynamic_slice, shard, {weights, i, zero, zero}, SliceSizes{{1, 4, 8}});
        const auto gathered = maker.op(Opcode::all_gather, whole, {w}, groups);
        const auto y = maker.dot(whole, x, gathered);
        const auto gradient = maker.dot(whole, x, y);
        const auto part = maker.op(Opcode::reduce_scatter, shard, {gradient}, groups);
        const auto cast = maker.op(Opcode::convert, shard, {part});
        const auto updated = maker.op(Opcode::dynamic_update_slice, stack, {gradients, cast, i, zero, zero});
        const auto one = maker.op(Opcode::constant, index, {}, Literal{1});
        i = maker.op(Opcode::add, index, {i, one});
        maker.results({i, y, weights, updated});

        const ComputationId condition = maker.open("condition");
        const auto count = maker.argument(index);
        for (const auto type : {whole, stack, stack}) maker.argument(type);
        const auto limit = maker.op(Opcode::constant, index, {}, Literal{layers});
        maker.results({maker.op(Opcode::compare, maker.array(ElementType::pred, {}), {count, limit},
                                Comparison{ComparisonDirection::less})});

        maker.open_entry();
        const auto x0 = maker.argument(whole);
        const auto w0 = maker.argument(stack);
        const auto g0 = maker.argument(stack);
        const auto start = maker.op(Opcode::constant, index, {}, Literal{0});
        const Operation loop =
            maker.many(Opcode::while_loop, {index, whole, stack, stack}, {start, x0, w0, g0},
                       Loop{known ? std::optional{layers} : std::nullopt}, {condition, body});
        maker.results({Program::result(loop, 1), Program::result(loop, 3)});
    }
};

TEST(CollectivePipelining, AGatherGoesAheadAndAReductionIsReadBehind) {
    const Layers layers(5);
    const Program result = pipeline_collectives(layers.maker.program);
    expect_same_work(layers.maker.program, result);
    using O = Opcode;
    // In front: the first gather; the first iteration without an update. Behind: the last without a gather,
    // and the last update. A gather stands where it stood.
    EXPECT_EQ(opcodes(result, result.entry),
              (std::vector{O::dynamic_slice, O::all_gather, O::dynamic_slice, O::all_gather, O::dot, O::dot,
                           O::reduce_scatter, O::while_loop, O::dot, O::dot, O::reduce_scatter, O::convert,
                           O::dynamic_update_slice, O::convert, O::dynamic_update_slice}));
    const Operation* loop = loop_of(result);
    ASSERT_NE(loop, nullptr);
    EXPECT_EQ(result.attribute_if<Loop>(*loop)->trip_count, 3);
    EXPECT_EQ(opcodes(result, result.called(*loop)[1]),
              (std::vector{O::dynamic_slice, O::all_gather, O::dot, O::dot, O::reduce_scatter, O::convert,
                           O::dynamic_update_slice}));
    // Carried: counter, x, weights, gradients; the gathered weights; what was scattered, and where it goes.
    EXPECT_EQ(loop->operands.count, 7);
}

TEST(CollectivePipelining, WhatIsIssuedAheadDoesNotWaitForItsOwnIteration) {
    const Layers layers(5);
    const Program result = pipeline_collectives(layers.maker.program);
    const Computation& body = result[result.called(*loop_of(result))[1]];
    int products = 0;
    for (const Operation& operation : body.operations) {
        if (operation.opcode != Opcode::dot) continue;
        ++products;
        for (const ValueId operand : result.operands(operation)) {
            const Operation* maker = result.definition(operand);
            EXPECT_TRUE(maker == nullptr || maker->opcode == Opcode::dot) << "a product waits for a gather";
        }
    }
    EXPECT_GE(products, 1);
}

TEST(CollectivePipelining, OfTooFewOrUnknownIterationsNothingChanges) {
    for (const auto& layers : {std::pair{2, true}, std::pair{5, false}}) {
        const Layers maker(layers.first, layers.second);
        const Program result = pipeline_collectives(maker.maker.program);
        expect_same_work(maker.maker.program, result);
        EXPECT_EQ(opcodes(result, result.entry), (std::vector{Opcode::while_loop}));
    }
    const Layers three(3);
    expect_same_work(three.maker.program, pipeline_collectives(three.maker.program));
}

constexpr const char* tuple_loop = R"(HloModule step, num_partitions=2
add { a = bf16[] parameter(0)
  b = bf16[] parameter(1)
  ROOT c = bf16[] add(a, b) }
body {
  p = (s32[], bf16[8,8], bf16[6,4,8]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = bf16[8,8] get-tuple-element(p), index=1
  w = bf16[6,4,8] get-tuple-element(p), index=2
  five = s32[] constant(5)
  last = s32[] subtract(five, i)
  zero = s32[] constant(0)
  slice = bf16[1,4,8] dynamic-slice(w, last, zero, zero), dynamic_slice_sizes={1,4,8}
  flat = bf16[4,8] reshape(slice)
  gathered = bf16[8,8] all-gather(flat), replica_groups={{0,1}}, dimensions={0}, channel_id=1, use_global_device_ids=true
  y = bf16[8,8] dot(x, gathered), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  sum = bf16[8,8] all-reduce(y), replica_groups={{0,1}}, to_apply=add, channel_id=2, use_global_device_ids=true
  used = bf16[8,8] add(sum, x)
  one = s32[] constant(1)
  next = s32[] add(i, one)
  ROOT t = (s32[], bf16[8,8], bf16[6,4,8]) tuple(next, used, w)
}
condition {
  p = (s32[], bf16[8,8], bf16[6,4,8]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  six = s32[] constant(6)
  ROOT less = pred[] compare(i, six), direction=LT
}
ENTRY main {
  x = bf16[8,8] parameter(0)
  w = bf16[6,4,8] parameter(1)
  start = s32[] constant(0)
  init = (s32[], bf16[8,8], bf16[6,4,8]) tuple(start, x, w)
  loop = (s32[], bf16[8,8], bf16[6,4,8]) while(init), condition=condition, body=body
  ROOT y = bf16[8,8] get-tuple-element(loop), index=1
}
)";

TEST(CollectivePipelining, LoopsOfHloCarryValues) {
    const Program program = read_hlo(Source::text(tuple_loop, "step.hlo"));
    const Program result = pipeline_collectives(program);
    expect_same_work(program, result);
    const Operation* loop = loop_of(result);
    ASSERT_NE(loop, nullptr);
    // The gather goes ahead; the sum is read by its own iteration.
    EXPECT_EQ(result.attribute_if<Loop>(*loop)->trip_count, 5);
    EXPECT_EQ(loop->operands.count, 4);
    EXPECT_EQ(opcodes(result, result.entry),
              (std::vector{Opcode::dynamic_slice, Opcode::reshape, Opcode::all_gather, Opcode::while_loop,
                           Opcode::dot, Opcode::all_reduce, Opcode::add}));
}

TEST(CollectivePipelining, WhatTravelsWithACollectiveAndIsReadInPlaceIsCarried) {
    std::string text = tuple_loop;
    const auto put = [&](const std::string& old, const std::string& now) {
        text.replace(text.find(old), old.size(), now);
    };
    // The shard itself is read too.
    put("used = bf16[8,8] add(sum, x)",
        "both = bf16[8,8] concatenate(flat, flat), dimensions={0}\n  used = bf16[8,8] add(sum, both)");
    const Program program = read_hlo(Source::text(text, "step.hlo"));
    const Program result = pipeline_collectives(program);
    expect_same_work(program, result);
    EXPECT_EQ(loop_of(result)->operands.count, 5);
}

TEST(CollectivePipelining, AGatherOfWhatTheIterationMakesStays) {
    std::string text = tuple_loop;
    const std::string slice = "dynamic-slice(w, last, zero, zero)";
    text.replace(text.find(slice), slice.size(), "dynamic-slice(x3, last, zero, zero)");
    const std::string zero = "zero = s32[] constant(0)\n";
    text.replace(text.find(zero), zero.size(), zero + "  x3 = bf16[2,4,8] reshape(x)\n");
    const Program program = read_hlo(Source::text(text, "step.hlo"));
    const Program result = pipeline_collectives(program);
    expect_same_work(program, result);
    EXPECT_EQ(result.attribute_if<Loop>(*loop_of(result))->trip_count, 6);
}

TEST(CollectivePipelining, RandomLoopsDoTheSameWork) {
    std::mt19937 random{11};
    int pipelined = 0;
    for (int round = 0; round < 300; ++round) {
        ProgramMaker maker;
        const auto index = maker.array(ElementType::s32, {});
        const auto type = maker.bf16({8, 8});
        const auto groups = ProgramMaker::groups(DeviceGroups::iota(1, 2, {2}, {}));
        constexpr int arrays = 4;
        const ComputationId body = maker.open("body");
        const auto i = maker.argument(index);
        std::vector<ValueId> values;
        for (int a = 0; a < arrays; ++a) values.push_back(maker.argument(type));
        std::vector<ValueId> results{
            maker.op(Opcode::add, index, {i, maker.op(Opcode::constant, index, {}, Literal{1})})};
        const auto any = [&] { return values[random() % values.size()]; };
        const auto scalar = [&] { return random() % 2 == 0 ? i : results.front(); };
        for (int n = 0; n < 12; ++n) {
            switch (random() % 6) {
                case 0:
                    values.push_back(maker.op(Opcode::all_gather, type, {any()}, groups));
                    break;
                case 1:
                    values.push_back(maker.op(Opcode::dynamic_slice, type, {any(), scalar()}));
                    break;
                case 2:
                    values.push_back(maker.op(Opcode::dynamic_update_slice, type, {any(), any(), scalar()}));
                    break;
                case 3:
                    values.push_back(maker.op(Opcode::convert, type, {any()}));
                    break;
                case 4:
                    values.push_back(maker.op(Opcode::reduce_scatter, type, {any()}, groups));
                    break;
                default:
                    values.push_back(maker.dot(type, any(), any()));
            }
        }
        // Some are handed on as they came, others are anything.
        for (int a = 0; a < arrays; ++a)
            results.push_back(random() % 2 == 0 ? values[static_cast<std::size_t>(a)] : any());
        maker.results(results);
        const std::int64_t count = 1 + static_cast<std::int64_t>(random() % 6);
        const ComputationId condition = maker.open("condition");
        const auto counter = maker.argument(index);
        for (int a = 0; a < arrays; ++a) maker.argument(type);
        maker.results({maker.op(Opcode::compare, maker.array(ElementType::pred, {}),
                                {counter, maker.op(Opcode::constant, index, {}, Literal{count})},
                                Comparison{ComparisonDirection::less})});
        maker.open_entry();
        std::vector<ValueId> inits{maker.op(Opcode::constant, index, {}, Literal{0})};
        for (int a = 0; a < arrays; ++a) inits.push_back(maker.argument(type));
        const Operation loop = maker.many(Opcode::while_loop, {index, type, type, type, type}, inits,
                                          Loop{count}, {condition, body});
        maker.results({Program::result(loop, 1), Program::result(loop, 2), Program::result(loop, 3),
                       Program::result(loop, 4)});
        const Program result = pipeline_collectives(maker.program);
        expect_same_work(maker.program, result);
        if (testing::Test::HasFailure()) FAIL() << "round " << round;
        pipelined += result.attribute_if<Loop>(*loop_of(result))->trip_count != count;
    }
    EXPECT_GT(pipelined, 100);
}

TEST(CollectivePipelining, ScannedLlamaKeepsItsProductsAndItsTraffic) {
    const Program program = read_program(
        Source::file(DSE_SOURCE_DIR "/workloads/captures/jax/llama3_8b_fsdp8.after_spmd.hlo.gz"));
    const Program result = pipeline_collectives(program);
    validate(result);
    const ProgramCost before = program_cost(program);
    const ProgramCost after = program_cost(result);
    ASSERT_EQ(after.collectives.size(), before.collectives.size());
    for (std::size_t i = 0; i < after.collectives.size(); ++i) {
        EXPECT_EQ(after.collectives[i].kind, before.collectives[i].kind);
        EXPECT_EQ(after.collectives[i].count, before.collectives[i].count);
        EXPECT_EQ(after.collectives[i].bytes, before.collectives[i].bytes);
    }
    EXPECT_EQ(after.by_trips.products(), before.by_trips.products());
}

}  // namespace
}  // namespace dse::ir
