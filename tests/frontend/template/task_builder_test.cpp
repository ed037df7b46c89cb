#include <set>
#include <string>

#include <gtest/gtest.h>

#include "small_structure.hpp"

namespace dse::frontend {
namespace {

using graph::MeshAxis;
using test::one_stage;
using test::rows;
using test::SmallStructure;

SmallStructure data_parallel(std::int64_t zero, std::int64_t prefetch) {
    SmallStructure small;
    small.options.active = MeshAxis::data;
    small.options.stack.zero = zero;
    small.options.stack.prefetch = prefetch;
    return small;
}

TEST(TaskBuilder, RowsOfEqualBlocksAreRepeats) {
    SmallStructure small;
    const Structure structure = small.build(one_stage(4));
    const auto& chunk = structure.graph.programs[0].chunks[0];
    EXPECT_EQ(rows(structure, 0, chunk.forward), "embedding forward*1, layer forward*4, head forward*1");
    EXPECT_EQ(rows(structure, 0, chunk.backward), "head backward*1, layer backward*4, embedding backward*1");
    // Nothing arrives and nothing is reduced: the first and the last microbatch are like the others.
    EXPECT_EQ(chunk.forward_first, chunk.forward);
    EXPECT_EQ(chunk.backward_last, chunk.backward);
}

TEST(TaskBuilder, GatheringAheadPeelsTheEnds) {
    // Block i sends for block i + 2: the last layer but one for the head, the last two for nothing.
    SmallStructure small = data_parallel(3, 2);
    const Structure structure = small.build(one_stage(6));
    const auto& chunk = structure.graph.programs[0].chunks[0];
    EXPECT_EQ(rows(structure, 0, chunk.forward),
              "embedding forward*1, layer forward*4, layer forward*1, layer forward*1, head forward*1");
    // The first two are sent for by the task itself.
    EXPECT_EQ(test::nodes(structure, chunk.forward), "dp:all_gather dp:all_gather");
}

TEST(TaskBuilder, FewerBlocksThanTheDistanceAreGatheredByTheTask) {
    SmallStructure small = data_parallel(3, 5);
    const Structure structure = small.build(one_stage(1));
    const auto& chunk = structure.graph.programs[0].chunks[0];
    EXPECT_EQ(rows(structure, 0, chunk.forward), "embedding forward*1, layer forward*1, head forward*1");
    EXPECT_EQ(test::nodes(structure, chunk.forward), "dp:all_gather dp:all_gather dp:all_gather");
}

TEST(TaskBuilder, ShardedGradientsGoWhenTheNextBlockHasWaited) {
    SmallStructure small = data_parallel(2, 0);
    const Structure structure = small.build(one_stage(4));
    const auto& chunk = structure.graph.programs[0].chunks[0];
    // The first layer frees the head's gradients, the others a layer's: two bodies. The task frees the last.
    EXPECT_EQ(rows(structure, 0, chunk.backward),
              "head backward*1, layer backward*1, layer backward*3, embedding backward*1");
    const auto& last = structure.graph.regions[chunk.backward.index()].items.back();
    EXPECT_EQ(last.frees.size(), 1U);
}

TEST(TaskBuilder, BlocksWithoutParametersNeitherGatherNorReduce) {
    SmallStructure small = data_parallel(3, 1);
    const std::vector<StageUnits> stages{{{{0, 1}, {3, 2}, {1, 2}, {2, 1}}}};
    const Structure structure = small.build(stages);
    const auto& chunk = structure.graph.programs[0].chunks[0];
    for (const graph::Item& item : structure.graph.regions[chunk.backward.index()].items) {
        if (item.kind != graph::Item::Kind::repeat) continue;
        const graph::Region& body = structure.graph.regions[item.body.index()];
        const std::string text = test::nodes(structure, item.body);
        // The head's only parameter is the embedding's, which reduces its gradient.
        const bool has_none = body.name == "plain backward" || body.name == "head backward";
        EXPECT_EQ(text.find(":reduce_scatter") == std::string::npos, has_none) << body.name << ": " << text;
    }
    // The second plain block sends for the first layer, each layer for what comes after it, the others for
    // nothing.
    EXPECT_EQ(rows(structure, 0, chunk.forward),
              "embedding forward*1, plain forward*1, plain forward*1, layer forward*1, layer forward*1, "
              "head forward*1");
}

/// Structure is as large as what is distinct, not as what is repeated.
TEST(TaskBuilder, AMillionLayersCostNoMoreThanTen) {
    for (const auto& [zero, prefetch] : {std::pair{0, 0}, {2, 0}, {3, 0}, {3, 3}}) {
        SmallStructure few = data_parallel(zero, prefetch);
        SmallStructure many = data_parallel(zero, prefetch);
        const Structure ten = few.build(one_stage(10));
        const Structure million = many.build(one_stage(1'000'000));
        EXPECT_EQ(ten.graph.regions.size(), million.graph.regions.size());
        EXPECT_EQ(ten.works.size(), million.works.size());
        ASSERT_EQ(ten.graph.programs[0].counts.size(), million.graph.programs[0].counts.size());
        std::int64_t most = 0;
        for (const std::int64_t count : million.graph.programs[0].counts) most = std::max(most, count);
        EXPECT_GE(most, 999'000);
    }
}

/// Buffers of gathered parameters and unreduced gradients that a task leaves allocated.
std::int64_t held_after(const Structure& structure, graph::RegionId task) {
    const auto& graph = structure.graph;
    std::int64_t held = 0;
    const auto add = [&](const graph::Item& item, std::int64_t times) {
        const auto count = [&](const std::vector<graph::BufferId>& buffers) {
            std::int64_t found = 0;
            for (const graph::BufferId id : buffers)
                found += structure.buffers[id.index()].kind == graph::MemoryKind::communication ? 1 : 0;
            return found;
        };
        held += times * (count(item.allocates) - count(item.frees));
    };
    for (const graph::Item& item : graph.regions[task.index()].items) {
        add(item, 1);
        if (item.kind != graph::Item::Kind::repeat) continue;
        const std::int64_t times = graph.programs[0].counts[item.count.index()];
        for (const graph::Item& inner : graph.regions[item.body.index()].items) add(inner, times);
    }
    return held;
}

/// ZeRO-3 with units of layers, and a head with a table of its own.
SmallStructure gathered_by_layer() {
    std::string untied{test::tied_template};
    const std::string tied = ", tied: true";
    untied.erase(untied.find(tied), tied.size());
    SmallStructure small{untied};
    small.options.active = MeshAxis::data;
    small.options.stack.zero = 3;
    small.options.stack.prefetch = 1;
    small.options.stack.gather_unit = graph::GatherUnit::layer;
    return small;
}

/// The nodes of the body of this name in a task.
std::string nodes_of(const Structure& structure, graph::RegionId task, const std::string& body) {
    for (const graph::Item& item : structure.graph.regions[task.index()].items) {
        if (item.kind != graph::Item::Kind::repeat) continue;
        if (structure.graph.regions[item.body.index()].name == body) return test::nodes(structure, item.body);
    }
    return "none";
}

/// PyTorch's FSDP with layers wrapped: embedding and head arrive before the first kernel, stay until the end
/// of the backward pass, and are reduced together behind its last kernel.
TEST(TaskBuilder, WhatLiesOutsideOfLayersIsGatheredBeforeAndReducedBehind) {
    SmallStructure small = gathered_by_layer();
    const Structure structure = small.build(one_stage(4));
    const auto& chunk = structure.graph.programs[0].chunks[0];
    EXPECT_EQ(test::nodes(structure, chunk.forward), "dp:all_gather dp:all_gather");
    EXPECT_EQ(rows(structure, 0, chunk.forward),
              "embedding forward*1, layer forward*3, layer forward*1, head forward*1")
        << "the last layer sends for nothing";
    EXPECT_EQ(test::nodes(structure, chunk.backward), "host") << "which frees what was kept";
    const std::string head = nodes_of(structure, chunk.backward, "head backward");
    EXPECT_TRUE(head != "none" && head.find("reduce_scatter") == std::string::npos) << head;
    EXPECT_EQ(nodes_of(structure, chunk.backward, "embedding backward"),
              "compute dp:reduce_scatter dp:reduce_scatter");
    EXPECT_EQ(held_after(structure, chunk.forward), 2) << "embedding and head";
    EXPECT_EQ(held_after(structure, chunk.backward), -2);
}

/// The head's gradients are reduced even where the embedding has none, and go to the host only then.
TEST(TaskBuilder, AHeadBesideAFrozenEmbeddingIsReducedBehindThePass) {
    SmallStructure small = gathered_by_layer();
    small.options.stack.offload = graph::Offload::optimizer;
    small.blocks[0].tensors[small.blocks[0].parameters().front().index()].frozen = true;
    const Structure structure = small.build(one_stage(4));
    const graph::RegionId last = structure.graph.programs[0].chunks[0].backward_last;
    EXPECT_EQ(nodes_of(structure, last, "head backward").find("from device"), std::string::npos);
    EXPECT_EQ(nodes_of(structure, last, "embedding backward"), "compute dp:reduce_scatter from device");
    EXPECT_EQ(held_after(structure, last), -2);
}

TEST(TaskBuilder, MessagesArriveInABufferThatGoesWithTheNext) {
    SmallStructure small;
    const Structure structure = small.build({{{{0, 1}, {1, 2}}}, {{{1, 2}, {2, 1}}}});
    const auto& graph = structure.graph;
    const auto frees = [&](std::size_t stage, bool forward, bool allocates) {
        const auto& chunk = graph.programs[graph.program_of[stage]].chunks[0];
        std::size_t count = 0;
        const graph::RegionId region = forward ? chunk.forward : chunk.backward;
        for (const graph::Item& item : graph.regions[region.index()].items)
            count += allocates ? item.allocates.size() : item.frees.size();
        return count;
    };
    // The first stage receives gradients and sends activations, the last the other way round.
    EXPECT_EQ(frees(0, true, true), 0U);
    EXPECT_EQ(frees(0, true, false), 1U);
    EXPECT_EQ(frees(1, true, true), 1U);
    EXPECT_EQ(frees(1, true, false), 0U);
    EXPECT_EQ(frees(0, false, true), 1U);
    EXPECT_EQ(frees(0, false, false), 0U);
    EXPECT_EQ(frees(1, false, true), 0U);
    EXPECT_EQ(frees(1, false, false), 1U);
}

/// The buffer that the first stage sends is freed by its backward pass, beside that in which gradients
/// arrive; the last stage sends gradients alone, which go as ever.
TEST(TaskBuilder, StagesMayKeepWhatTheyHaveSentUntilTheBackwardPass) {
    SmallStructure small;
    small.options.stack.keeps_outputs = true;
    const Structure structure = small.build({{{{0, 1}, {1, 2}}}, {{{1, 2}, {2, 1}}}});
    const auto freed = [&](std::size_t stage, bool forward) {
        const auto& chunk = structure.graph.programs[structure.graph.program_of[stage]].chunks[0];
        std::size_t count = 0;
        const graph::RegionId region = forward ? chunk.forward : chunk.backward;
        for (const graph::Item& item : structure.graph.regions[region.index()].items)
            count += item.frees.size();
        return count;
    };
    EXPECT_EQ(freed(0, true), 0U);
    EXPECT_EQ(freed(0, false), 1U);
    EXPECT_EQ(freed(1, true), 0U);
    EXPECT_EQ(freed(1, false), 1U);
}

}  // namespace
}  // namespace dse::frontend
