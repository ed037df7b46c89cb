#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "small_structure.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::Item;
using graph::MeshAxis;
using graph::Region;
using graph::RegionId;
using test::nodes;
using test::one_stage;
using test::SmallStructure;

const AxisSet tp{MeshAxis::tensor};
const AxisSet dp{MeshAxis::data};

/// The body of the first row of a block in a task.
RegionId body_of(const Structure& structure, RegionId task, std::string_view name) {
    for (const Item& item : structure.graph.regions[task.index()].items) {
        if (item.kind == Item::Kind::repeat && structure.graph.regions[item.body.index()].name == name)
            return item.body;
    }
    ADD_FAILURE() << "no body " << name;
    return {};
}

struct Bodies {
    std::string forward;
    std::string first;
    std::string backward;
    std::string last;
};

/// The layer's bodies in words, by ZeRO stage.
Bodies layer_bodies(AxisSet active, std::int64_t zero, std::int64_t prefetch) {
    SmallStructure small;
    small.options.active = active;
    small.options.stack.zero = zero;
    small.options.stack.prefetch = prefetch;
    const Structure structure = small.build(one_stage(4));
    const auto& chunk = structure.graph.programs[0].chunks[0];
    const auto text = [&](RegionId task, std::string_view name) {
        return nodes(structure, body_of(structure, task, name));
    };
    return {text(chunk.forward, "layer forward"), text(chunk.forward_first, "layer forward"),
            text(chunk.backward, "layer backward"), text(chunk.backward_last, "layer backward")};
}

const std::string plain_forward = "compute compute compute compute compute";
const std::string plain_backward = "compute compute compute compute compute compute compute";

TEST(BodyBuilder, DataParallelWorkFollowsTheZeroStage) {
    const Bodies zero0 = layer_bodies(dp, 0, 1);
    EXPECT_EQ(zero0.forward, plain_forward);
    EXPECT_EQ(zero0.first, plain_forward);
    EXPECT_EQ(zero0.backward, plain_backward);
    EXPECT_EQ(zero0.last, plain_backward + " dp:all_reduce");

    const Bodies zero1 = layer_bodies(dp, 1, 1);
    EXPECT_EQ(zero1.forward, plain_forward);
    EXPECT_EQ(zero1.first, "dp:all_gather " + plain_forward) << "updated parameters arrive";
    EXPECT_EQ(zero1.backward, plain_backward);
    EXPECT_EQ(zero1.last, plain_backward + " dp:reduce_scatter");

    const Bodies zero2 = layer_bodies(dp, 2, 1);
    EXPECT_EQ(zero2.first, "dp:all_gather " + plain_forward);
    EXPECT_EQ(zero2.backward, plain_backward + " dp:reduce_scatter") << "every microbatch";
    EXPECT_EQ(zero2.last, zero2.backward);

    const Bodies zero3 = layer_bodies(dp, 3, 0);
    EXPECT_EQ(zero3.forward, "dp:all_gather " + plain_forward);
    EXPECT_EQ(zero3.first, zero3.forward);
    EXPECT_EQ(zero3.backward, "dp:all_gather " + plain_backward + " dp:reduce_scatter");
}

/// The nodes of a body that allocate or free some of the buffers, with how many: "compute:1 dp:1".
std::string nodes_with(const Structure& structure, RegionId body, std::vector<graph::BufferId> Item::*which,
                       const std::set<graph::BufferId>& buffers) {
    std::string text;
    for (const Item& item : structure.graph.regions[body.index()].items) {
        const std::vector<graph::BufferId>& own = item.*which;
        const auto count = std::count_if(own.begin(), own.end(),
                                         [&](graph::BufferId buffer) { return buffers.count(buffer) > 0; });
        if (count == 0) continue;
        text += (text.empty() ? "" : " ") + structure.graph.streams[item.stream.index()];
        text += ":" + std::to_string(count);
    }
    return text;
}

/// Buffers of whole parameters, and of gradients before their reduction.
std::set<graph::BufferId> of_communication(const Structure& structure) {
    std::set<graph::BufferId> buffers;
    for (std::size_t i = 0; i < structure.buffers.size(); ++i) {
        if (structure.buffers[i].kind == graph::MemoryKind::communication) buffers.insert(graph::BufferId(i));
    }
    return buffers;
}

/// XLA gathers and reduces one parameter at a time, and holds each no longer than it is used: those of the
/// next layer take the places of this one's.
TEST(BodyBuilder, SingleParametersAreFreedOneByOne) {
    for (const auto unit : {graph::GatherUnit::block, graph::GatherUnit::parameter}) {
        SmallStructure small;
        small.options.active = dp;
        small.options.stack.zero = 3;
        small.options.stack.gather_unit = unit;
        const Structure structure = small.build(one_stage(4));
        const auto& chunk = structure.graph.programs[0].chunks[0];
        const bool single = unit == graph::GatherUnit::parameter;
        const RegionId forward = body_of(structure, chunk.forward, "layer forward");
        const auto buffers = of_communication(structure);
        EXPECT_EQ(nodes_with(structure, forward, &Item::frees, buffers),
                  single ? "compute:1 compute:1 compute:1" : "compute:1");
        EXPECT_EQ(nodes_with(structure, forward, &Item::allocates, buffers),
                  single ? "compute:1 compute:1 compute:1" : "dp:1");
        std::set<graph::BufferId> all;
        for (std::size_t i = 0; i < structure.buffers.size(); ++i) all.insert(graph::BufferId(i));
        const RegionId backward = body_of(structure, chunk.backward, "layer backward");
        const std::string freed = nodes_with(structure, backward, &Item::frees, all);
        EXPECT_EQ(freed.ends_with("dp:1 dp:1 dp:1"), single) << freed;
        EXPECT_EQ(freed.find("dp:") != std::string::npos, single) << freed;
    }
}

/// The items of this name that items of that name ("": kernels) wait for, in the order of those that wait.
std::vector<std::uint32_t> awaited(const Structure& structure, RegionId body, std::string_view name,
                                   std::string_view by) {
    const std::vector<Item>& items = structure.graph.regions[body.index()].items;
    const auto is = [&](const Item& item, std::string_view which) {
        if (which.empty()) return structure.graph.streams[item.stream.index()] == "compute";
        return structure.graph.names[item.name.index()] == which;
    };
    std::vector<std::uint32_t> found;
    for (const Item& item : items) {
        if (!is(item, by)) continue;
        for (const graph::ValueRef& input : item.inputs) {
            if (input.source == graph::ValueRef::Source::item && is(items[input.index], name))
                found.push_back(input.index);
        }
    }
    return found;
}

/// Without gathers ahead, kernels wait for their own parameters alone, which come as kernels read them, in
/// the backward pass the last ones first: norm, up and down of the layer. Gradients go as they are made.
TEST(BodyBuilder, KernelsWaitForThoseSingleParametersThatTheyRead) {
    for (const auto unit : {graph::GatherUnit::block, graph::GatherUnit::parameter}) {
        SmallStructure small;
        small.options.active = dp;
        small.options.stack.zero = 3;
        small.options.stack.prefetch = 0;
        small.options.stack.gather_unit = unit;
        const Structure structure = small.build(one_stage(4));
        const auto& chunk = structure.graph.programs[0].chunks[0];
        const bool single = unit == graph::GatherUnit::parameter;
        const RegionId backward = body_of(structure, chunk.backward, "layer backward");
        for (const RegionId body : {body_of(structure, chunk.forward, "layer forward"), backward}) {
            const auto gathers = awaited(structure, body, "gather parameters", "");
            EXPECT_EQ(gathers, single ? (std::vector<std::uint32_t>{0, 1, 2})
                                      : std::vector<std::uint32_t>(gathers.size(), 0));
        }
        const auto kernels = awaited(structure, backward, "", "reduce gradients");
        EXPECT_EQ(kernels.size(), 3U);
        EXPECT_TRUE(std::is_sorted(kernels.begin(), kernels.end()));
    }
}

/// Gradients of norms: over tp before dp, and as often.
TEST(BodyBuilder, GradientsPartialOverTpAreReducedBeforeThoseOverDp) {
    const std::string step = "compute tp:all_gather compute compute compute tp:reduce_scatter compute";
    EXPECT_EQ(layer_bodies(tp, 0, 1).forward, step);
    const Bodies zero0 = layer_bodies(tp | dp, 0, 1);
    EXPECT_EQ(zero0.backward.find("tp:all_reduce"), std::string::npos);
    EXPECT_NE(zero0.last.find("tp:all_reduce dp:all_reduce"), std::string::npos) << zero0.last;
    const Bodies zero2 = layer_bodies(tp | dp, 2, 1);
    EXPECT_NE(zero2.backward.find("tp:all_reduce dp:reduce_scatter"), std::string::npos) << zero2.backward;
    EXPECT_EQ(zero2.last, zero2.backward);
}

/// Behind the reduction, the next block's gather waits for it in their common queue.
TEST(BodyBuilder, ABackwardPassMayGatherBehindItsReduction) {
    SmallStructure small;
    small.options.active = dp;
    small.options.stack.zero = 3;
    small.options.stack.backward_prefetch = graph::BackwardPrefetch::post;
    const Structure structure = small.build(one_stage(4));
    const auto& chunk = structure.graph.programs[0].chunks[0];
    const RegionId backward = body_of(structure, chunk.backward, "layer backward");
    EXPECT_EQ(nodes(structure, backward), plain_backward + " dp:reduce_scatter dp:all_gather");
    EXPECT_EQ(nodes(structure, body_of(structure, chunk.forward, "layer forward")),
              "dp:all_gather " + plain_forward);
    const Region& region = structure.graph.regions[backward.index()];
    EXPECT_EQ(region.items[7].stream, region.items[8].stream);
    EXPECT_EQ(region.outputs[1], graph::ValueRef::item(8)) << "sent for by this body";
}

/// FSDP2 copies gathered parameters out (2 + 2 bytes) before a block's first kernel and gradients in (2 + 4
/// bytes) behind its last one; FSDP1 only joins gradients (2 + 2 bytes) and divides them (4 + 4 bytes).
TEST(BodyBuilder, UnitsOfParametersAreCopiedBesideTheirCollectives) {
    constexpr double parameters = 32 + 2 * 32 * 64;
    for (const auto copies : {graph::UnitCopies::gradients, graph::UnitCopies::all}) {
        SmallStructure small;
        small.options.active = dp;
        small.options.stack.zero = 3;
        small.options.stack.unit_copies = copies;
        const Structure structure = small.build(one_stage(4));
        const auto& chunk = structure.graph.programs[0].chunks[0];
        const bool all = copies == graph::UnitCopies::all;
        const std::string out = all ? "dp:all_gather compute " : "dp:all_gather ";
        const RegionId forward = body_of(structure, chunk.forward, "layer forward");
        const RegionId backward = body_of(structure, chunk.backward, "layer backward");
        EXPECT_EQ(nodes(structure, forward), out + plain_forward);
        EXPECT_EQ(nodes(structure, backward), out + plain_backward + " compute dp:reduce_scatter");
        const auto numbers = small.numbers(structure, 1, 2);
        const auto bytes_of = [&](const Item& item) {
            const auto& copy = std::get<ComputeFormula>(structure.works[item.work.index()]);
            return std::pair{evaluate(copy.read, numbers), evaluate(copy.written, numbers)};
        };
        const auto& items = structure.graph.regions[backward.index()].items;
        const std::pair in{(all ? 2.0 : 6.0) * parameters, (all ? 4.0 : 6.0) * parameters};
        EXPECT_EQ(bytes_of(items[items.size() - 2]), in);
        if (all) {
            EXPECT_EQ(bytes_of(items[1]), (std::pair{2.0 * parameters, 2.0 * parameters}));
        }
    }
}

TEST(BodyBuilder, ChainsOfPortsCarryWhatWasSentForAhead) {
    SmallStructure small;
    small.options.active = dp;
    small.options.stack.zero = 3;
    small.options.stack.prefetch = 3;
    const Structure structure = small.build(one_stage(8));
    const auto& chunk = structure.graph.programs[0].chunks[0];
    const Region& forward =
        structure.graph.regions[body_of(structure, chunk.forward, "layer forward").index()];
    EXPECT_EQ(forward.ports, 4);
    ASSERT_EQ(forward.outputs.size(), 4U);
    EXPECT_EQ(forward.outputs[1], graph::ValueRef::port(2));
    EXPECT_EQ(forward.outputs[2], graph::ValueRef::port(3));
    EXPECT_EQ(forward.outputs[3], graph::ValueRef::item(0)) << "the gather that this body sent for";
    // Backward, the reduction before is one more.
    const Region& backward =
        structure.graph.regions[body_of(structure, chunk.backward, "layer backward").index()];
    EXPECT_EQ(backward.ports, 5);
}

TEST(BodyBuilder, TheHostLaunchesAheadOfTheLastKernel) {
    SmallStructure small;
    small.options.stack.cuda_graphs = false;
    const Structure structure = small.build(one_stage(2));
    const auto& chunk = structure.graph.programs[0].chunks[0];
    const Region& body = structure.graph.regions[body_of(structure, chunk.forward, "layer forward").index()];
    EXPECT_EQ(structure.graph.streams[body.items[0].stream.index()], "host");
    const auto& inputs = body.items.back().inputs;
    EXPECT_EQ(inputs.back(), graph::ValueRef::item(0));
    const auto* launch = std::get_if<LaunchFormula>(&structure.works[body.items[0].work.index()]);
    ASSERT_NE(launch, nullptr);
    EXPECT_GT(launch->kernels, 0);
}

/// A gradient that a kernel of its own adds to the sum of earlier ones goes with it. The backward pass holds
/// the values that the forward pass has kept, and nothing more, in the end.
TEST(BodyBuilder, GradientsGoWhenTheyAreAdded) {
    const auto left = [](bool fused) {
        SmallStructure small;
        small.options.stack.fused_accumulation = fused;
        const Structure structure = small.build(one_stage(4));
        const auto& chunk = structure.graph.programs[0].chunks[0];
        std::ptrdiff_t count = 0;
        const RegionId body = body_of(structure, chunk.backward, "layer backward");
        for (const Item& item : structure.graph.regions[body.index()].items)
            count += std::ssize(item.allocates) - std::ssize(item.frees);
        return count;
    };
    EXPECT_LT(left(true), 0) << "what was kept is freed";
    EXPECT_EQ(left(false), left(true));
}

/// Every buffer that a pass allocates goes in it or stays, and none goes twice; a block that keeps what it
/// sends on keeps a copy.
TEST(BodyBuilder, WhatIsKeptAndSentOnIsThereTwice) {
    test::SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h]}
blocks:
  layer:
    operators:
      - y = softmax(x)
    output: y
)");
    const Block block = small.block("layer");
    EXPECT_EQ(small.diagnostics.text(), "");
    const std::vector<Block> blocks{block};
    const std::vector<Sharding> shardings{small.shard(block, {})};
    const std::vector<BlockPlans> plans{small.plan(block, {})};
    const Structure structure =
        build_structure(blocks, shardings, plans, small.extents, std::vector<StageUnits>{{{{0, 2}}}}, {});
    const auto& chunk = structure.graph.programs[0].chunks[0];
    const Region& forward =
        structure.graph.regions[body_of(structure, chunk.forward, "layer forward").index()];
    // softmax keeps its result, which is also what leaves: allocated twice. x goes.
    const Item& kernel = forward.items.back();
    ASSERT_EQ(kernel.allocates.size(), 2U);
    EXPECT_EQ(kernel.allocates[0], kernel.allocates[1]);
    EXPECT_EQ(kernel.frees.size(), 1U);
}

}  // namespace
}  // namespace dse::frontend
