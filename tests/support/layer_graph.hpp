#pragma once

#include <cstdint>

#include "dse/graph/graph.hpp"
#include "dse/graph/turns.hpp"
#include "dse/sim/durations.hpp"

namespace dse::test {

/// The pipeline of a synthetic transformer: a layer is 26 items on three streams (compute, tensor-parallel
/// collectives, data-parallel collectives), with parameters gathered one layer ahead and gradients reduced
/// behind. No real model: a shape of the right size, for counting work and for measuring.
struct LayerShape {
    std::uint32_t stages{8};
    std::uint32_t microbatches{64};
    std::int64_t layers{10};  ///< of each stage
    std::int64_t ranks{8};    ///< of a stage
    graph::ScheduleKind schedule{graph::ScheduleKind::one_f_one_b};
    std::uint32_t chunks{1};
    double kernel{1e-4};  ///< s, of a forward kernel
};

class LayerGraph {
  public:
    explicit LayerGraph(const LayerShape& shape) {
        graph.streams = {"compute", "tp", "dp"};
        graph.mesh.size[static_cast<std::size_t>(graph::MeshAxis::tensor)] = shape.ranks;
        graph.mesh.size[static_cast<std::size_t>(graph::MeshAxis::pipeline)] = shape.stages;
        graph::make_schedule(shape.schedule, shape.stages, shape.microbatches, shape.chunks, graph.schedule);
        graph.schedule.identity = graph::identity_of(shape.schedule, graph.schedule);
        graph.buffers.push_back({graph::MemoryKind::activations, Bytes{64}});
        graph.buffers.push_back({graph::MemoryKind::parameters, Bytes{1000}});

        graph::StageProgram program;
        program.counts = {shape.layers};
        program.resident = {graph::BufferId{1}};
        const graph::RegionId forward = pass(shape.kernel, {buffer}, {});
        const graph::RegionId backward = pass(2 * shape.kernel, {}, {buffer});
        program.chunks.assign(shape.chunks, {forward, forward, backward, backward, backward, backward});
        if (graph::overlaps_tasks(graph.schedule)) overlap(program);
        program.update = step(5e-4);
        program.finish = step(1e-4);
        graph.programs.push_back(program);
        graph.program_of.assign(shape.stages, 0);
        add_transfers(graph::lanes_of(graph.schedule) * shape.stages);
    }

    graph::Graph graph;
    sim::Durations durations;

  private:
    using Item = graph::Item;
    using ValueRef = graph::ValueRef;
    static constexpr graph::BufferId buffer{0};
    static constexpr std::size_t tp = 1;
    static constexpr std::size_t dp = 2;

    graph::WorkId work(graph::Work what, double seconds, double hold) {
        graph.works.push_back(what);
        const double time = sim::quantise(seconds);
        durations.of_work.push_back({time, time, sim::quantise(hold)});
        return graph::WorkId{graph.works.size() - 1};
    }

    Item kernel(double seconds, std::vector<ValueRef> inputs) {
        Item item;
        item.work = work(graph::Compute{}, seconds, 0);
        item.inputs = std::move(inputs);
        return item;
    }

    Item collective(std::size_t stream, double seconds, std::vector<ValueRef> inputs) {
        Item item;
        const graph::MeshAxis axis = stream == tp ? graph::MeshAxis::tensor : graph::MeshAxis::data;
        item.work =
            work(graph::Collective{graph::CollectiveKind::all_gather, axis, Bytes{1}, 1.0}, seconds, 0);
        item.stream = graph::StreamId{stream};
        item.inputs = std::move(inputs);
        return item;
    }

    /// Ports: the layer's input, its parameters.
    graph::RegionId layer(double seconds, std::vector<graph::BufferId> allocates,
                          std::vector<graph::BufferId> frees) {
        graph::Region region;
        region.name = "layer";
        region.ports = 2;
        auto& items = region.items;
        items.push_back(collective(dp, 5 * seconds, {ValueRef::port(0)}));
        items.push_back(kernel(seconds, {ValueRef::port(0), ValueRef::port(1)}));
        for (int half = 0; half < 2; ++half) {
            items.push_back(collective(tp, 0.4 * seconds, {ValueRef::item(items.size() - 1)}));
            for (int i = 0; i < 9; ++i) items.push_back(kernel(seconds, {ValueRef::item(items.size() - 1)}));
            items.push_back(collective(tp, 0.4 * seconds, {ValueRef::item(items.size() - 1)}));
            items.push_back(kernel(0.5 * seconds, {ValueRef::item(items.size() - 1)}));
        }
        items[3].allocates = std::move(allocates);
        items[4].frees = std::move(frees);
        region.outputs = {ValueRef::item(items.size() - 1), ValueRef::item(0)};
        graph.regions.push_back(std::move(region));
        return graph::RegionId{graph.regions.size() - 1};
    }

    graph::RegionId pass(double seconds, std::vector<graph::BufferId> allocates,
                         std::vector<graph::BufferId> frees) {
        graph::Region region;
        region.name = "pass";
        region.ports = 1;
        Item repeat;
        repeat.kind = Item::Kind::repeat;
        repeat.body = layer(seconds, std::move(allocates), std::move(frees));
        repeat.inputs = {ValueRef::port(0), ValueRef::none()};
        region.items = {repeat, kernel(seconds, {ValueRef::item(0)})};
        region.outputs = {ValueRef::item(1)};
        graph.regions.push_back(std::move(region));
        return graph::RegionId{graph.regions.size() - 1};
    }

    /// Forwards and backwards in turns.
    void overlap(graph::StageProgram& program) {
        graph::Turns turns{
            graph.regions, [this](const Item& item) {
                return std::holds_alternative<graph::Collective>(graph.works[item.work.index()]);
            }};
        for (graph::ChunkProgram& chunk : program.chunks) {
            chunk.whole = chunk.whole_last = chunk.backward;
            chunk.overlapped = turns.of_tasks(chunk.forward, chunk.backward, program);
        }
    }

    graph::RegionId step(double seconds) {
        graph::Region region;
        region.name = "step";
        region.items = {kernel(seconds, {})};
        graph.regions.push_back(std::move(region));
        return graph::RegionId{graph.regions.size() - 1};
    }

    void add_transfers(std::uint32_t lane_ends) {
        graph.send_forward = graph.send_backward = work(graph::Transfer{Bytes{1}, 0.0}, 0, 0);
        graph.barrier =
            work(graph::Collective{graph::CollectiveKind::all_reduce, graph::MeshAxis::tensor, Bytes{4}, 1.0},
                 0, 0);
        durations.barrier = sim::quantise(2e-5);
        durations.forward.assign(lane_ends, {sim::quantise(1e-4), 0.0});
        durations.backward = durations.forward;
    }
};

}  // namespace dse::test
