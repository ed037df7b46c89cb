#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dse/graph/graph.hpp"

namespace dse::graph::test {

/// A graph by hand: two streams, and as many stages as asked for, each running the same program.
struct SmallPipeline {
    explicit SmallPipeline(std::uint32_t stages, std::uint32_t microbatches = 1) {
        graph.streams = {"compute", "tp"};
        set_degree(MeshAxis::pipeline, stages);
        make_schedule(ScheduleKind::one_f_one_b, stages, microbatches, 1, graph.schedule);
        graph.send_forward = add(Transfer{Bytes{100}, 0.0});
        graph.send_backward = add(Transfer{Bytes{200}, 0.0});
    }

    Graph graph;

    void set_degree(MeshAxis axis, std::int64_t degree) {
        graph.mesh.size[static_cast<std::size_t>(axis)] = degree;
    }
    WorkId add(Work work) {
        graph.works.push_back(std::move(work));
        return WorkId(graph.works.size() - 1);
    }
    WorkId kernel(double flop, double read, double written) {
        Compute compute;
        compute.op_class = OpClass::gemm;
        compute.model_flop = compute.executed_flop = Flop{flop};
        compute.read = Bytes{read};
        compute.written = Bytes{written};
        return add(compute);
    }
    static Item node(WorkId work, std::vector<ValueRef> inputs = {}, std::size_t stream = 0) {
        Item item;
        item.work = work;
        item.stream = StreamId{stream};
        item.inputs = std::move(inputs);
        return item;
    }
    static Item repeat(RegionId body, std::size_t count, std::vector<ValueRef> inputs) {
        Item item;
        item.kind = Item::Kind::repeat;
        item.body = body;
        item.count = CountId{count};
        item.inputs = std::move(inputs);
        return item;
    }
    RegionId region(std::string name, std::uint16_t ports, std::vector<Item> items,
                    std::vector<ValueRef> outputs) {
        graph.regions.push_back({std::move(name), ports, std::move(items), std::move(outputs)});
        return RegionId(graph.regions.size() - 1);
    }
    /// To be called last. \param barrier  axes of the gradient norm
    void finish(RegionId forward, RegionId backward, std::vector<std::int64_t> counts = {},
                AxisSet barrier = {}) {
        const RegionId nothing = region("nothing", 0, {}, {});
        StageProgram program;
        program.chunks.assign(graph.schedule.chunks,
                              {forward, forward, backward, backward, nothing, nothing});
        program.update = program.finish = nothing;
        program.counts = std::move(counts);
        graph.programs = {std::move(program)};
        graph.program_of.assign(graph.schedule.stages, 0);
        graph.barrier = add(Collective{CollectiveKind::all_reduce, barrier, Bytes{4}, 1.0});
        validate(graph);
    }
};

}  // namespace dse::graph::test
