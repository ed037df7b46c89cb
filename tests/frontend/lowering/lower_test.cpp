// Also tests: lowering/lowerer.cpp, lowering/lowerer_loop.cpp, lowering/frame.cpp, lowering/lifetimes.cpp
// Also tests: lowering/lowerer_control.cpp, lowering/program_groups.cpp, lowering/program_values.cpp
// Also tests: lowering/in_place.cpp, lowering/heaviest_branch.cpp
// Also tests: lowering/graph_tables.cpp, lowering/collective_call.cpp, lowering/host_memory.cpp
#include "dse/frontend/lowering/lower.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/graph/totals.hpp"
#include "dse/ir/passes/blocking_collectives.hpp"
#include "support/program_maker.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::Collective;
using graph::CollectiveKind;
using graph::Compute;
using graph::Item;
using graph::MeshAxis;
using graph::Region;
using graph::ValueRef;
using ir::DeviceGroups;
using ir::ElementType;
using ir::Opcode;
using ir::ValueId;
using test::ProgramMaker;

const Region& pass_of(const graph::Graph& graph) {
    return graph.regions[graph.programs.front().chunks.front().forward.index()];
}

/// Items of a region that stand for something, the launch in front of them left out.
std::vector<Item> items_of(const Region& region) {
    return {region.items.begin() + 1, region.items.end()};
}

template <class W>
const W& work(const graph::Graph& graph, const Item& item) {
    return std::get<W>(graph.works[item.work.index()]);
}

// z = (x · w) reduced over 8 devices, plus b.
struct Product {
    ProgramMaker maker;
    Product() {
        maker.program.partitions = 8;
        maker.open_entry();
        const auto x = maker.argument(maker.bf16({16, 32}));
        const auto w = maker.argument(maker.bf16({32, 64}));
        const auto b = maker.argument(maker.bf16({16, 64}));
        const auto y = maker.dot(maker.bf16({16, 64}), x, w);
        const auto sum = maker.op(Opcode::all_reduce, maker.bf16({16, 64}), {y},
                                  ProgramMaker::groups(DeviceGroups::iota(1, 8, {8}, {})));
        maker.results({maker.op(Opcode::add, maker.bf16({16, 64}), {sum, b})});
    }
};

TEST(Lower, AProductACollectiveAndASumAreThreeNodes) {
    Product product;
    const Lowered lowered = lower(product.maker.program, {});
    const graph::Graph& graph = lowered.graph;
    const auto items = items_of(pass_of(graph));
    ASSERT_EQ(items.size(), 3);
    EXPECT_EQ(work<Compute>(graph, items[0]).op_class, graph::OpClass::gemm);
    EXPECT_EQ(work<Compute>(graph, items[0]).model_flop, Flop{2.0 * 16 * 32 * 64});
    EXPECT_EQ(work<Compute>(graph, items[0]).read, Bytes{2.0 * (16 * 32 + 32 * 64)});
    EXPECT_EQ(work<Compute>(graph, items[0]).written, Bytes{2.0 * 16 * 64});
    const auto& collective = work<Collective>(graph, items[1]);
    EXPECT_EQ(collective.kind, CollectiveKind::all_reduce);
    EXPECT_EQ(collective.axes, AxisSet{MeshAxis::tensor});
    EXPECT_EQ(collective.size, Bytes{2.0 * 16 * 64});
    EXPECT_EQ(items[1].inputs, (std::vector{ValueRef::item(1)}));
    EXPECT_EQ(graph.streams[items[1].stream.index()], "tp");
    EXPECT_EQ(items[2].inputs.front(), ValueRef::item(2));
    EXPECT_EQ(graph.mesh.degree(MeshAxis::tensor), 8);
}

TEST(Lower, CollectivesThatBlockStandAmongTheKernels) {
    const Product product;
    const Lowered lowered = lower(ir::block_collectives(product.maker.program), {});
    const auto items = items_of(pass_of(lowered.graph));
    EXPECT_EQ(items[1].stream, graph::compute_stream);
}

TEST(Lower, AllCommunicationMayHaveOneQueue) {
    Product product;
    LoweringOptions options;
    EXPECT_EQ(lower(product.maker.program, options).graph.message_stream, std::nullopt);
    options.queues = graph::Queues::one;
    const Lowered lowered = lower(product.maker.program, options);
    const auto items = items_of(pass_of(lowered.graph));
    EXPECT_EQ(lowered.graph.streams[items[1].stream.index()], "communication");
    EXPECT_EQ(lowered.graph.message_stream, items[1].stream);
}

// From all to one is from one to all, backwards.
TEST(Lower, AReductionToOneTakesAsLongAsABroadcast) {
    Product product;
    for (ir::Operation& operation : product.maker.program.computations.back().operations)
        if (operation.opcode == Opcode::all_reduce) operation.opcode = Opcode::collective_reduce;
    const Lowered lowered = lower(product.maker.program, {});
    const auto items = items_of(pass_of(lowered.graph));
    EXPECT_EQ(work<Collective>(lowered.graph, items[1]).kind, CollectiveKind::broadcast);
    EXPECT_EQ(work<Collective>(lowered.graph, items[1]).size, Bytes{2.0 * 16 * 64});
}

TEST(Lower, TheHostLaunchesEveryKernelOnce) {
    Product product;
    const Lowered lowered = lower(product.maker.program, {2.0});
    const Item& launch = pass_of(lowered.graph).items.front();
    EXPECT_EQ(work<graph::Launch>(lowered.graph, launch).kernels, 6.0);
    // The last kernel is not done before it has been launched.
    EXPECT_EQ(pass_of(lowered.graph).items.back().inputs.back(), ValueRef::item(0));
}

TEST(Lower, ACollectiveOfOneDeviceIsNone) {
    Product product;
    product.maker.program.partitions = 1;
    auto* communication = std::get_if<ir::Communication>(&product.maker.program.attributes.back());
    ASSERT_NE(communication, nullptr);
    communication->groups = DeviceGroups::list({{0}});
    EXPECT_EQ(items_of(pass_of(lower(product.maker.program, {}).graph)).size(), 2);
}

// A loop of `count` iterations over x: x <- reduced(x · w), beside a counter that the host has.
struct Loop {
    ProgramMaker maker;
    explicit Loop(std::int64_t count) {
        maker.program.partitions = 4;
        const auto counter = maker.array(ElementType::s32, {});
        const auto activations = maker.bf16({8, 8});
        const auto condition = maker.open("condition");
        maker.argument(counter);
        maker.argument(activations);
        maker.argument(activations);
        maker.results({});
        const auto body = maker.open("body");
        const auto i = maker.argument(counter);
        const auto x = maker.argument(activations);
        const auto w = maker.argument(activations);
        const auto one = maker.op(Opcode::constant, counter, {});
        const auto next = maker.op(Opcode::add, counter, {i, one});
        const auto y = maker.dot(activations, x, w);
        const auto sum = maker.op(Opcode::all_reduce, activations, {y},
                                  ProgramMaker::groups(DeviceGroups::iota(1, 4, {4}, {})));
        maker.results({next, sum, w});
        maker.open_entry();
        const auto input = maker.argument(activations);
        const auto weights = maker.argument(activations);
        const auto zero = maker.op(Opcode::constant, counter, {});
        const ir::Operation loop = maker.many(Opcode::while_loop, {counter, activations, activations},
                                              {zero, input, weights}, ir::Loop{count}, {condition, body});
        const auto last = ir::Program::result(loop, 1);
        maker.results({maker.op(Opcode::negate, activations, {last})});
    }
};

TEST(Lower, ALoopIsARepeatWhosePortsAreWhatOtherStreamsWaitFor) {
    Loop loop{12};
    const Lowered lowered = lower(loop.maker.program, {});
    const graph::Graph& graph = lowered.graph;
    const Region& pass = pass_of(graph);
    const auto repeat = std::find_if(pass.items.begin(), pass.items.end(),
                                     [](const Item& item) { return item.kind == Item::Kind::repeat; });
    ASSERT_NE(repeat, pass.items.end());
    EXPECT_EQ(graph.programs.front().counts[repeat->count.index()], 12);
    // The reduced value, which kernels of the next iteration wait for, and when the kernels are done: neither
    // the counter nor the weights.
    const Region& body = graph.regions[repeat->body.index()];
    ASSERT_EQ(body.ports, 2);
    const auto items = items_of(body);
    ASSERT_EQ(items.size(), 2);
    EXPECT_EQ(items[0].inputs.front(), ValueRef::port(0));
    EXPECT_EQ(body.outputs, (std::vector{ValueRef::item(2), ValueRef::item(1)}));
    EXPECT_EQ(repeat->inputs, (std::vector{ValueRef::none(), ValueRef::none()}));
    // What comes after the loop waits for its last iteration.
    EXPECT_EQ(pass.items.back().inputs.front(),
              ValueRef::item(static_cast<std::size_t>(repeat - pass.items.begin()), 0));
    const graph::Totals totals = graph::totals(graph);
    EXPECT_EQ(totals.model_flop, Flop{12.0 * 4 * 2 * 8 * 8 * 8});
}

TEST(Lower, ALoopWithoutACountRunsOnceAndSaysSo) {
    Loop loop{1};
    for (ir::Attribute& attribute : loop.maker.program.attributes) {
        if (auto* found = std::get_if<ir::Loop>(&attribute)) found->trip_count.reset();
    }
    EXPECT_EQ(lower(loop.maker.program, {}).loops_without_count, 1);
}

TEST(Lower, AStartRunsBesideKernelsUntilItsDone) {
    ProgramMaker maker;
    maker.program.partitions = 2;
    maker.open_entry();
    const auto shard = maker.bf16({4, 8});
    const auto whole = maker.bf16({8, 8});
    const auto p = maker.argument(shard);
    const auto x = maker.argument(whole);
    const auto start = maker.op(Opcode::all_gather_start, maker.tuple({shard, whole}), {p},
                                ProgramMaker::groups(DeviceGroups::iota(1, 2, {2}, {})));
    const auto y = maker.op(Opcode::negate, whole, {x});
    const auto gathered = maker.op(Opcode::all_gather_done, whole, {start});
    const auto z = maker.op(Opcode::negate, whole, {y});
    maker.results({maker.op(Opcode::add, whole, {z, gathered})});
    const Lowered lowered = lower(maker.program, {});
    const auto items = items_of(pass_of(lowered.graph));
    ASSERT_EQ(items.size(), 4);
    EXPECT_EQ(work<Collective>(lowered.graph, items[0]).size, Bytes{8 * 8 * 2});
    // It gathers an argument: data parallelism's.
    EXPECT_EQ(work<Collective>(lowered.graph, items[0]).axes, AxisSet{MeshAxis::data});
    EXPECT_TRUE(items[1].inputs.empty());
    // The kernel behind the done waits, although it does not read what came.
    EXPECT_EQ(items[2].inputs, (std::vector{ValueRef::item(2), ValueRef::item(1)}));
}

TEST(Lower, CallsAreEnteredWhereverTheyStand) {
    ProgramMaker maker;
    const auto type = maker.bf16({4});
    const auto twice = maker.open("twice");
    const auto x = maker.argument(type);
    maker.results({maker.op(Opcode::add, type, {x, x})});
    maker.open_entry();
    const auto a = maker.argument(type);
    const auto b = maker.op(Opcode::call, type, {a}, {}, {twice});
    maker.results({maker.op(Opcode::call, type, {b}, {}, {twice})});
    const auto items = items_of(pass_of(lower(maker.program, {}).graph));
    ASSERT_EQ(items.size(), 2);
    EXPECT_EQ(items[1].inputs.front(), ValueRef::item(1));
}

TEST(Lower, OfAConditionalTheLargestBranchIsTaken) {
    ProgramMaker maker;
    const auto type = maker.bf16({64, 64});
    const auto small = maker.open("small");
    const auto s = maker.argument(type);
    maker.results({maker.op(Opcode::negate, type, {s})});
    const auto large = maker.open("large");
    const auto l = maker.argument(type);
    maker.results({maker.dot(type, maker.op(Opcode::negate, type, {l}), l)});
    maker.open_entry();
    const auto choice = maker.argument(maker.array(ElementType::s32, {}));
    const auto x = maker.argument(type);
    maker.results({maker.op(Opcode::conditional, type, {choice, x, x}, {}, {small, large})});
    EXPECT_EQ(items_of(pass_of(lower(maker.program, {}).graph)).size(), 2);
}

// A choice between two kernels and two kernels is two of them, not four: three are more.
TEST(Lower, OfAConditionalInABranchOneBranchCounts) {
    ProgramMaker maker;
    const auto type = maker.bf16({64, 64});
    const auto negations = [&](std::string_view name, int count) {
        const auto computation = maker.open(name);
        auto x = maker.argument(type);
        for (int i = 0; i < count; ++i) x = maker.op(Opcode::negate, type, {x});
        maker.results({x});
        return computation;
    };
    const auto one = negations("one", 2);
    const auto other = negations("other", 2);
    const auto three = negations("three", 3);
    const auto choice = maker.array(ElementType::s32, {});
    const auto pair = maker.tuple({choice, type});
    const auto nested = maker.open("nested");
    const auto both = maker.argument(pair);
    const auto inner = maker.op(Opcode::get_tuple_element, choice, {both}, ir::Index{0});
    const auto y = maker.op(Opcode::get_tuple_element, type, {both}, ir::Index{1});
    maker.results({maker.op(Opcode::conditional, type, {inner, y, y}, {}, {one, other})});
    maker.open_entry();
    const auto outer = maker.argument(choice);
    const auto x = maker.argument(type);
    const auto handed = maker.op(Opcode::tuple, pair, {outer, x});
    maker.results({maker.op(Opcode::conditional, type, {outer, handed, x}, {}, {nested, three})});
    EXPECT_EQ(items_of(pass_of(lower(maker.program, {}).graph)).size(), 3);
}

TEST(Lower, TuplesAndViewsCostNothing) {
    ProgramMaker maker;
    maker.open_entry();
    const auto a = maker.argument(maker.bf16({4, 4}));
    const auto b = maker.argument(maker.bf16({16}));
    const auto pair = maker.op(Opcode::tuple, maker.tuple({maker.bf16({4, 4}), maker.bf16({16})}), {a, b});
    const auto second = maker.op(Opcode::get_tuple_element, maker.bf16({16}), {pair}, ir::Index{1});
    const auto square = maker.op(Opcode::reshape, maker.bf16({4, 4}), {second});
    maker.results({maker.op(Opcode::negate, maker.bf16({4, 4}), {square})});
    EXPECT_EQ(items_of(pass_of(lower(maker.program, {}).graph)).size(), 1);
}

TEST(Lower, AnUpdateInALoopTouchesItsSliceAndKeepsItsBuffer) {
    // Ten rows written into [10, 1024], one an iteration.
    ProgramMaker maker;
    const auto stack = maker.bf16({10, 1024});
    const auto row = maker.bf16({1, 1024});
    const auto counter = maker.array(ElementType::s32, {});
    const auto condition = maker.open("condition");
    maker.argument(counter);
    maker.argument(stack);
    maker.results({});
    const auto body = maker.open("body");
    const auto i = maker.argument(counter);
    const auto rows = maker.argument(stack);
    const auto old = maker.op(Opcode::dynamic_slice, row, {rows, i, i}, ir::SliceSizes{{1, 1024}});
    const auto updated =
        maker.op(Opcode::dynamic_update_slice, stack, {rows, maker.op(Opcode::negate, row, {old}), i, i});
    maker.results({i, updated});
    maker.open_entry();
    const auto zero = maker.op(Opcode::constant, counter, {});
    const auto start = maker.op(Opcode::broadcast, stack, {maker.argument(maker.bf16({}))});
    const ir::Operation loop =
        maker.many(Opcode::while_loop, {counter, stack}, {zero, start}, ir::Loop{10}, {condition, body});
    maker.results({ir::Program::result(loop, 1)});
    const Lowered lowered = lower(maker.program, {});
    const graph::Graph& graph = lowered.graph;
    const Region& body_region = graph.regions.front();
    const auto items = items_of(body_region);
    ASSERT_EQ(items.size(), 3);
    EXPECT_EQ(work<Compute>(graph, items[0]).written, Bytes{2048});
    EXPECT_EQ(work<Compute>(graph, items[2]).written, Bytes{2048});
    // A row that is cut out, a row that is made of it: each is freed in its iteration; the stack is the
    // entry's.
    double allocated = 0.0;
    double freed = 0.0;
    for (const Item& item : body_region.items) {
        for (const graph::BufferId buffer : item.allocates)
            allocated += graph.buffers[buffer.index()].size.value();
        for (const graph::BufferId buffer : item.frees) freed += graph.buffers[buffer.index()].size.value();
    }
    EXPECT_EQ(allocated, 2 * 2048);
    EXPECT_EQ(freed, allocated);
}

// Bytes that the entry's region allocates.
double allocated_at_once(const ir::Program& program) {
    const Lowered lowered = lower(program, {});
    double allocated = 0.0;
    for (const Item& item : pass_of(lowered.graph).items)
        for (const graph::BufferId buffer : item.allocates)
            allocated += lowered.graph.buffers[buffer.index()].size.value();
    return allocated;
}

// Updates of one array: the last one may be in its place, those before it are copies.
TEST(Lower, AnUpdateOfWhatIsReadLaterIsACopy) {
    for (const int updates : {1, 2, 3}) {
        ProgramMaker maker;
        maker.open_entry();
        const auto whole = maker.bf16({16, 64});
        const auto x = maker.argument(maker.bf16({1, 64}));
        const auto at = maker.argument(maker.array(ElementType::s32, {}));
        const auto start = maker.op(Opcode::broadcast, whole, {maker.argument(maker.bf16({}))});
        std::vector<ValueId> results;
        for (int i = 0; i < updates; ++i)
            results.push_back(maker.op(Opcode::dynamic_update_slice, whole, {start, x, at, at}));
        maker.results(results);
        EXPECT_EQ(allocated_at_once(maker.program), updates * 2.0 * 16 * 64);
    }
}

// Two stacks that a loop fills start as one array of zeros, and are two from then on. What it only reads
// stays where it is.
TEST(Lower, StatesThatStartAsOneValueHaveBuffersOfTheirOwn) {
    ProgramMaker maker;
    const auto stack = maker.bf16({10, 1024});
    const auto counter = maker.array(ElementType::s32, {});
    const std::vector<ir::TypeId> types{counter, stack, stack, stack};
    const auto condition = maker.open("condition");
    for (const ir::TypeId type : types) maker.argument(type);
    maker.results({});
    const auto body = maker.open("body");
    const auto i = maker.argument(counter);
    const auto first = maker.argument(stack);
    const auto second = maker.argument(stack);
    const auto read = maker.argument(stack);
    const auto row =
        maker.op(Opcode::dynamic_slice, maker.bf16({1, 1024}), {read, i, i}, ir::SliceSizes{{1, 1024}});
    maker.results({i, maker.op(Opcode::dynamic_update_slice, stack, {first, row, i, i}),
                   maker.op(Opcode::dynamic_update_slice, stack, {second, row, i, i}), read});
    maker.open_entry();
    const auto zero = maker.op(Opcode::constant, counter, {});
    const auto start = maker.op(Opcode::broadcast, stack, {maker.argument(maker.bf16({}))});
    const ir::Operation loop =
        maker.many(Opcode::while_loop, types, {zero, start, start, start}, ir::Loop{10}, {condition, body});
    maker.results({ir::Program::result(loop, 1), ir::Program::result(loop, 2)});
    EXPECT_EQ(allocated_at_once(maker.program), 3 * 2.0 * 10 * 1024);
}

TEST(Lower, CopiesToTheHostGoOnTheirOwnStream) {
    ProgramMaker maker;
    maker.open_entry();
    const auto here = maker.bf16({1024});
    const auto there = maker.array(ElementType::bf16, {1024}, ir::host_memory_space);
    const auto x = maker.argument(here);
    const auto away = maker.op(Opcode::copy, there, {x});
    const auto back = maker.op(Opcode::copy, here, {away});
    maker.results({maker.op(Opcode::negate, here, {back})});
    const Lowered lowered = lower(maker.program, {});
    const auto items = items_of(pass_of(lowered.graph));
    ASSERT_EQ(items.size(), 3);
    EXPECT_EQ(work<graph::Copy>(lowered.graph, items[0]).direction, graph::CopyDirection::to_host);
    EXPECT_EQ(work<graph::Copy>(lowered.graph, items[1]).direction, graph::CopyDirection::to_device);
    EXPECT_EQ(work<graph::Copy>(lowered.graph, items[1]).size, Bytes{2048});
    EXPECT_EQ(lowered.graph.streams[items[0].stream.index()], "from device");
}

TEST(Lower, ResultsThatReplaceArgumentsTakeNoMemoryOfTheirOwn) {
    ProgramMaker maker;
    maker.open_entry();
    const auto type = maker.bf16({1000});
    const auto x = maker.argument(type);
    maker.results({maker.op(Opcode::negate, type, {x})});
    const auto allocations = [&] {
        std::size_t count = 0;
        const auto lowered = lower(maker.program, {});
        for (const Item& item : pass_of(lowered.graph).items) count += item.allocates.size();
        return count;
    };
    EXPECT_EQ(allocations(), 1);
    maker.program.aliases = {{0, 0}};
    EXPECT_EQ(allocations(), 0);
    maker.program.aliases = {{ir::BufferAlias::any_result, 0}};
    EXPECT_EQ(allocations(), 0);
    EXPECT_EQ(lower(maker.program, {}).graph.programs.front().resident.size(), 1);
}

TEST(Lower, ListsWhatNoRuleKnows) {
    ProgramMaker maker;
    maker.open_entry();
    const auto type = maker.bf16({1000});
    const auto x = maker.argument(type);
    const ir::NameId target = maker.builder.name("magic");
    const auto y = maker.op(Opcode::custom_call, type, {x}, ir::ForeignCall{target, {}});
    maker.results({maker.op(Opcode::custom_call, type, {y}, ir::ForeignCall{target, {}})});
    const Lowered lowered = lower(maker.program, {});
    EXPECT_EQ(lowered.unknown, (std::map<std::string, double>{{"magic", 2}}));
    EXPECT_EQ(work<Compute>(lowered.graph, items_of(pass_of(lowered.graph)).front()).read, Bytes{2000});
}

TEST(Lower, RefusesProgramsThatAreStillToBePartitioned) {
    Product product;
    product.maker.program.partitioned = false;
    EXPECT_THROW(lower(product.maker.program, {}), ModelError);
}

}  // namespace
}  // namespace dse::frontend
