// Offloading: what leaves the device, when it comes back, what the host then holds, and what both cost.
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/graph/totals.hpp"
#include "dse/sim/engine.hpp"
#include "stage_memory.hpp"

namespace dse {
namespace {

using graph::MemoryKind;
using graph::Offload;
using graph::WorkloadSpec;
using test::memory_of;
using test::RegionMemory;

const test::ModelSizes& model = test::small_llama;
constexpr double tokens = 32;
constexpr std::int64_t microbatches = 4;

/// The head: probabilities in fp32, the norm's input and output.
double kept_by_head() {
    return tokens * (4 * model.vocab + 4 * model.h);
}
double kept_by_layers(double layers) {
    return layers * tokens * test::kept_by_layer(model);
}

/// Bytes of the copies in one direction, and how many there are, in one iteration of a stage.
struct Copies {
    double count{0};
    double bytes{0};
};

void add_copies(const graph::Graph& graph, const graph::StageProgram& program, graph::RegionId region,
                double times, graph::CopyDirection direction, Copies& copies) {
    for (const graph::Item& item : graph.regions[region.index()].items) {
        if (item.kind == graph::Item::Kind::repeat) {
            const auto count = static_cast<double>(program.counts[item.count.index()]);
            add_copies(graph, program, item.body, times * count, direction, copies);
        } else if (const auto* copy = std::get_if<graph::Copy>(&graph.works[item.work.index()])) {
            if (copy->direction != direction) continue;
            copies.count += times;
            copies.bytes += times * copy->size.value();
        }
    }
}

class Offloading : public testing::Test {
  protected:
    static WorkloadSpec spec(Offload offload) {
        WorkloadSpec made;
        made.model = model.name;
        made.global_batch = microbatches;
        made.sequence = static_cast<std::int64_t>(tokens);
        made.stack.zero = 0;
        made.stack.offload = offload;
        return made;
    }
    const graph::Graph& build(const WorkloadSpec& spec, std::int64_t devices = 1) {
        const auto& graph = frontend_.build(spec, graph::resolve(spec.layout, devices, spec.global_batch));
        graph::validate(graph);
        return graph;
    }
    static Copies copies(const graph::Graph& graph, graph::CopyDirection direction) {
        const graph::StageProgram& program = graph.programs.front();
        const graph::ChunkProgram& chunk = program.chunks.front();
        Copies result;
        const auto add = [&](graph::RegionId region, double times) {
            add_copies(graph, program, region, times, direction, result);
        };
        add(program.update, 1);
        add(chunk.forward_first, 1);
        add(chunk.forward, microbatches - 1);
        add(chunk.backward, microbatches - 1);
        add(chunk.backward_last, 1);
        return result;
    }

    test::SmallModels models_;
    frontend::TemplateFrontend frontend_{models_.frontend()};
};

TEST_F(Offloading, LayersLeaveNothingBehindAndTheHostHasIt) {
    const graph::Graph& graph = build(spec(Offload::activations));
    const graph::ChunkProgram& chunk = graph.programs.front().chunks.front();
    const RegionMemory forward = memory_of(graph, chunk.forward);
    EXPECT_EQ(forward.net(), kept_by_head());
    EXPECT_EQ(forward.host(), kept_by_layers(model.layers));
    const RegionMemory backward = memory_of(graph, chunk.backward);
    EXPECT_EQ(backward.net(), -kept_by_head());
    EXPECT_EQ(backward.host(), -kept_by_layers(model.layers));
}

TEST_F(Offloading, EverythingLeavesOnceAndComesOnceAMicrobatch) {
    const graph::Graph& graph = build(spec(Offload::activations));
    for (const auto direction : {graph::CopyDirection::to_host, graph::CopyDirection::to_device}) {
        const Copies found = copies(graph, direction);
        EXPECT_EQ(found.count, microbatches * model.layers);
        EXPECT_EQ(found.bytes, microbatches * kept_by_layers(model.layers));
    }
}

/// While a block runs, what the one before it keeps is on its way out: two layers' activations at most,
/// whatever the number of layers. Coming back, `offload_prefetch` more than the one in use.
TEST_F(Offloading, DeviceHoldsTwoLayersGoingAndAsManyAsAreCalledComing) {
    const double layer = kept_by_layers(1);
    const graph::Graph& plain = build(spec(Offload::none));
    const auto& plain_chunk = plain.programs.front().chunks.front();
    const double backward_rest = memory_of(plain, plain_chunk.backward).peak();
    for (const std::int64_t prefetch : {1, 2, 3}) {
        WorkloadSpec made = spec(Offload::activations);
        made.stack.offload_prefetch = prefetch;
        const graph::Graph& graph = build(made);
        const auto& chunk = graph.programs.front().chunks.front();
        // At the end of a layer: what it keeps, what the layer before keeps, and the two sides of its last
        // addition, the MLP's result and the sum.
        EXPECT_EQ(memory_of(graph, chunk.forward).peak(), 2 * layer + 2 * tokens * 2 * model.h) << prefetch;
        const RegionMemory backward = memory_of(graph, chunk.backward);
        EXPECT_LE(backward.peak(), backward_rest + static_cast<double>(prefetch + 1) * layer) << prefetch;
        EXPECT_GE(backward.peak(), static_cast<double>(prefetch) * layer) << prefetch;
        EXPECT_LT(backward.peak(), kept_by_layers(model.layers)) << prefetch;
    }
}

TEST_F(Offloading, FirstLayersOnly) {
    WorkloadSpec made = spec(Offload::activations);
    made.stack.offload_layers = 3;
    const graph::Graph& graph = build(made);
    const auto& chunk = graph.programs.front().chunks.front();
    const RegionMemory forward = memory_of(graph, chunk.forward);
    EXPECT_EQ(forward.net(), kept_by_head() + kept_by_layers(model.layers - 3));
    EXPECT_EQ(forward.host(), kept_by_layers(3));
    EXPECT_EQ(memory_of(graph, chunk.backward).net(), -forward.net());
    EXPECT_EQ(memory_of(graph, chunk.backward).host(), -kept_by_layers(3));
}

/// 1F1B: stage i has min(m, p - i) microbatches in flight, all of whose layers are away.
TEST_F(Offloading, HostHoldsTheMicrobatchesInFlight) {
    WorkloadSpec made = spec(Offload::activations);
    made.layout.pp = 2;
    for (const auto schedule : {graph::ScheduleKind::one_f_one_b, graph::ScheduleKind::gpipe}) {
        made.layout.schedule = schedule;
        const graph::Graph& graph = build(made, 2);
        const double in_flight = schedule == graph::ScheduleKind::gpipe ? microbatches : 2;
        for (const char* engine : {"folded", "event"}) {
            EXPECT_EQ(sim::engines().find(engine)()->peak_memory(graph).host,
                      in_flight * kept_by_layers(model.layers / 2))
                << engine;
        }
    }
}

/// Full recomputation leaves each layer's input: 2h a token.
TEST_F(Offloading, OfCheckpointsOnlyTheCheckpointsMove) {
    WorkloadSpec made = spec(Offload::activations);
    made.stack.recompute = graph::Recompute::full;
    const graph::Graph& graph = build(made);
    EXPECT_EQ(copies(graph, graph::CopyDirection::to_host).bytes,
              microbatches * model.layers * tokens * 2 * model.h);
}

double parameters() {
    return model.layers * (model.layer_matrices() + model.layer_vectors()) + 2 * model.vocab * model.h +
           model.head_vectors();
}

/// Ren et al. 2021 (ZeRO-Offload), section 4: the host has the fp32 states (12 B a parameter) and gets the
/// gradients; it sends back 2 B a parameter. The states of a rank are its share of them.
TEST_F(Offloading, HostUpdatesTheStatesThatItHolds) {
    for (const std::int64_t dp : {1, 2}) {
        for (const std::int64_t zero : {0, 1, 2, 3}) {
            WorkloadSpec made = spec(Offload::optimizer);
            made.stack.zero = zero;
            made.global_batch = microbatches * dp;
            const graph::Graph& graph = build(made, dp);
            const double own = parameters() / static_cast<double>(zero >= 1 ? dp : 1);
            const auto resident = test::resident(graph);
            EXPECT_FALSE(resident.contains(MemoryKind::optimizer));
            EXPECT_EQ(resident.at(graph::host_memory), (12 + 4) * own);
            EXPECT_EQ(copies(graph, graph::CopyDirection::to_host).bytes, 4 * own) << "once a step";
            EXPECT_EQ(copies(graph, graph::CopyDirection::to_device).bytes, 2 * own);
            double read = 0;
            double written = 0;
            const graph::StageProgram& program = graph.programs.front();
            for (const graph::Item& item : graph.regions[program.update.index()].items) {
                if (item.kind != graph::Item::Kind::repeat) continue;
                const auto& body = graph.regions[item.body.index()];
                const auto& update =
                    std::get<graph::HostUpdate>(graph.works[body.items.front().work.index()]);
                const auto count = static_cast<double>(program.counts[item.count.index()]);
                read += count * update.read.value();
                written += count * update.written.value();
            }
            EXPECT_EQ(read, (12 + 4) * own);
            EXPECT_EQ(written, (12 + 2) * own);
        }
    }
}

TEST_F(Offloading, BothAddUp) {
    const graph::Graph& graph = build(spec(Offload::both));
    EXPECT_EQ(sim::engines().find("folded")()->peak_memory(graph).host,
              16 * parameters() + kept_by_layers(model.layers));
}

TEST_F(Offloading, WhatIsOutOfRangeIsRefused) {
    WorkloadSpec made = spec(Offload::activations);
    made.stack.offload_prefetch = 0;
    EXPECT_THROW(build(made), ModelError) << "a block's activations cannot come when it already runs";
    made.stack.offload_prefetch = 1;
    made.stack.offload_layers = -1;
    EXPECT_THROW(build(made), ModelError);
    made.stack.offload_layers = 0;
    made.layout.pp = 2;
    made.layout.schedule = graph::ScheduleKind::dualpipe;
    EXPECT_THROW(build(made, 2), ModelError) << "passes in turns";
}

}  // namespace
}  // namespace dse
