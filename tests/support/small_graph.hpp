#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"

namespace dse::test {

using graph::Item;
using graph::ValueRef;

/// Builds small graphs by hand; times are in s and must be multiples of the quantum.
class SmallGraph {
  public:
    /// \param streams  how many
    explicit SmallGraph(std::size_t streams = 1) {
        for (std::size_t s = 0; s < streams; ++s) graph.streams.push_back("stream" + std::to_string(s));
        graph.regions.emplace_back();  // 0: nothing
        graph.regions.back().name = "nothing";
        pipeline(graph::ScheduleKind::one_f_one_b, 1, 1);
    }

    graph::Graph graph;
    sim::Durations durations;

    static constexpr graph::RegionId nothing{0};

    graph::WorkId kernel(double seconds, graph::OpClass op_class = graph::OpClass::gemm) {
        graph::Compute compute;
        compute.op_class = op_class;
        return add(compute, {seconds, seconds, 0});
    }
    graph::WorkId collective(graph::AxisSet axes, sim::NodeTime time, double bytes = 1) {
        return add(graph::Collective{graph::CollectiveKind::all_gather, axes, Bytes{bytes}, 1.0}, time);
    }
    graph::WorkId collective(graph::AxisSet axes, double seconds) {
        return collective(axes, {seconds, seconds, 0});
    }
    graph::WorkId copy(double seconds) { return add(graph::Copy{Bytes{1}}, {seconds, seconds, 0}); }

    static Item node(graph::WorkId work, std::vector<ValueRef> inputs = {}, std::size_t stream = 0) {
        Item item;
        item.work = work;
        item.stream = graph::StreamId{stream};
        item.inputs = std::move(inputs);
        return item;
    }
    static Item repeat(graph::RegionId body, std::size_t count, std::vector<ValueRef> inputs = {}) {
        Item item;
        item.kind = Item::Kind::repeat;
        item.body = body;
        item.count = graph::CountId{count};
        item.inputs = std::move(inputs);
        return item;
    }
    graph::RegionId region(std::uint16_t ports, std::vector<Item> items, std::vector<ValueRef> outputs) {
        graph.regions.push_back(
            {"region" + std::to_string(graph.regions.size()), ports, std::move(items), std::move(outputs)});
        return graph::RegionId{graph.regions.size() - 1};
    }
    /// A pass that is one kernel, which waits for the boundary value.
    graph::RegionId pass(double seconds) {
        return region(1, {node(kernel(seconds), {ValueRef::port(0)})}, {ValueRef::item(0)});
    }
    graph::BufferId buffer(graph::MemoryKind kind, double bytes) {
        graph.buffers.push_back({kind, Bytes{bytes}});
        return graph::BufferId{graph.buffers.size() - 1};
    }

    void pipeline(graph::ScheduleKind kind, std::uint32_t stages, std::uint32_t microbatches,
                  std::uint32_t chunks = 1) {
        graph::make_schedule(kind, stages, microbatches, chunks, graph.schedule);
        graph.mesh.size[static_cast<std::size_t>(graph::MeshAxis::pipeline)] = stages;
    }

    /// Adds a program with these passes for all chunks; the first one is everyone's until program_of says
    /// else.
    graph::StageProgram& program(graph::RegionId forward, graph::RegionId backward,
                                 std::vector<std::int64_t> counts = {}) {
        graph::StageProgram added;
        added.chunks.assign(graph.schedule.chunks, {forward, forward, backward, backward, nothing, nothing});
        added.update = added.finish = nothing;
        added.counts = std::move(counts);
        graph.programs.push_back(added);
        graph.program_of.resize(graph.schedule.stages, 0);
        return graph.programs.back();
    }

    /// Gives all chunks of the program a whole backward, a weight pass, and a pair of overlapped passes that
    /// is one kernel.
    void split_and_join(graph::RegionId whole, graph::RegionId weight, double pair) {
        const graph::RegionId both = region(2, {node(kernel(pair), {ValueRef::port(0), ValueRef::port(1)})},
                                            {ValueRef::item(0), ValueRef::item(0)});
        for (graph::ChunkProgram& chunk : graph.programs.back().chunks) {
            chunk.weight = chunk.weight_last = weight;
            chunk.whole = chunk.whole_last = whole;
            chunk.overlapped = both;
        }
    }

    /// To be called last: transfers of all stages, and the barrier.
    SmallGraph& finish(double transfer = 0, double hold = 0, double barrier = 0) {
        graph.send_forward = graph.send_backward = add(graph::Transfer{}, {});
        graph.barrier = collective(graph::MeshAxis::data, 0);
        durations.forward.assign(std::size_t{graph::lanes_of(graph.schedule)} * graph.schedule.stages,
                                 {transfer, hold});
        durations.backward = durations.forward;
        durations.barrier = barrier;
        graph::validate(graph);
        sim::validate(durations, graph);
        return *this;
    }

  private:
    graph::WorkId add(graph::Work work, sim::NodeTime time) {
        graph.works.push_back(work);
        durations.of_work.push_back(time);
        return graph::WorkId{graph.works.size() - 1};
    }
};

}  // namespace dse::test
