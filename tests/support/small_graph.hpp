#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dse/sim/durations.hpp"
#include "dse/workload/graph.hpp"

namespace dse::test {

using workload::Item;
using workload::ValueRef;

/// Builds small graphs by hand; times are in s and must be multiples of the quantum.
class SmallGraph {
  public:
    /// \param streams  how many
    explicit SmallGraph(std::size_t streams = 1) {
        for (std::size_t s = 0; s < streams; ++s) graph.streams.push_back("stream" + std::to_string(s));
        graph.regions.emplace_back();  // 0: nothing
        graph.regions.back().name = "nothing";
        pipeline(workload::ScheduleKind::one_f_one_b, 1, 1);
    }

    workload::Graph graph;
    sim::Durations durations;

    static constexpr workload::RegionId nothing{0};

    workload::WorkId kernel(double seconds, workload::OpClass op_class = workload::OpClass::gemm) {
        workload::Compute compute;
        compute.op_class = op_class;
        return add(compute, {seconds, seconds, 0});
    }
    workload::WorkId collective(workload::AxisSet axes, sim::NodeTime time, double bytes = 1) {
        return add(workload::Collective{workload::CollectiveKind::all_gather, axes, Bytes{bytes}, 1.0}, time);
    }
    workload::WorkId collective(workload::AxisSet axes, double seconds) {
        return collective(axes, {seconds, seconds, 0});
    }
    workload::WorkId copy(double seconds) { return add(workload::Copy{Bytes{1}}, {seconds, seconds, 0}); }

    static Item node(workload::WorkId work, std::vector<ValueRef> inputs = {}, std::size_t stream = 0) {
        Item item;
        item.work = work;
        item.stream = workload::StreamId{stream};
        item.inputs = std::move(inputs);
        return item;
    }
    static Item repeat(workload::RegionId body, std::size_t count, std::vector<ValueRef> inputs = {}) {
        Item item;
        item.kind = Item::Kind::repeat;
        item.body = body;
        item.count = workload::CountId{count};
        item.inputs = std::move(inputs);
        return item;
    }
    workload::RegionId region(std::uint16_t ports, std::vector<Item> items, std::vector<ValueRef> outputs) {
        graph.regions.push_back(
            {"region" + std::to_string(graph.regions.size()), ports, std::move(items), std::move(outputs)});
        return workload::RegionId{graph.regions.size() - 1};
    }
    /// A pass that is one kernel, which waits for the boundary value.
    workload::RegionId pass(double seconds) {
        return region(1, {node(kernel(seconds), {ValueRef::port(0)})}, {ValueRef::item(0)});
    }
    workload::BufferId buffer(workload::MemoryKind kind, double bytes) {
        graph.buffers.push_back({kind, Bytes{bytes}});
        return workload::BufferId{graph.buffers.size() - 1};
    }

    void pipeline(workload::ScheduleKind kind, std::uint32_t stages, std::uint32_t microbatches,
                  std::uint32_t chunks = 1) {
        workload::make_schedule(kind, stages, microbatches, chunks, graph.schedule);
        graph.mesh.size[static_cast<std::size_t>(workload::MeshAxis::pipeline)] = stages;
    }

    /// Adds a program with these passes for all chunks; the first one is everyone's until program_of says
    /// else.
    workload::StageProgram& program(workload::RegionId forward, workload::RegionId backward,
                                    std::vector<std::int64_t> counts = {}) {
        workload::StageProgram added;
        added.chunks.assign(graph.schedule.chunks, {forward, forward, backward, backward, nothing, nothing});
        added.update = added.finish = nothing;
        added.counts = std::move(counts);
        graph.programs.push_back(added);
        graph.program_of.resize(graph.schedule.stages, 0);
        return graph.programs.back();
    }

    /// Gives all chunks of the program a whole backward, a weight pass, and a pair of overlapped passes that
    /// is one kernel.
    void split_and_join(workload::RegionId whole, workload::RegionId weight, double pair) {
        const workload::RegionId both =
            region(2, {node(kernel(pair), {ValueRef::port(0), ValueRef::port(1)})},
                   {ValueRef::item(0), ValueRef::item(0)});
        for (workload::ChunkProgram& chunk : graph.programs.back().chunks) {
            chunk.weight = chunk.weight_last = weight;
            chunk.whole = chunk.whole_last = whole;
            chunk.overlapped = both;
        }
    }

    /// To be called last: transfers of all stages, and the barrier.
    SmallGraph& finish(double transfer = 0, double hold = 0, double barrier = 0) {
        graph.send_forward = graph.send_backward = add(workload::Transfer{}, {});
        graph.barrier = collective(workload::MeshAxis::data, 0);
        durations.forward.assign(std::size_t{workload::lanes_of(graph.schedule)} * graph.schedule.stages,
                                 {transfer, hold});
        durations.backward = durations.forward;
        durations.barrier = barrier;
        workload::validate(graph);
        sim::validate(durations, graph);
        return *this;
    }

  private:
    workload::WorkId add(workload::Work work, sim::NodeTime time) {
        graph.works.push_back(work);
        durations.of_work.push_back(time);
        return workload::WorkId{graph.works.size() - 1};
    }
};

}  // namespace dse::test
