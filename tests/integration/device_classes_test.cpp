// Stages with devices of their own: the folded engine on a graph whose kernels stand once for each class
// against the event engine on the graph as it is, whose ranks look up what kernels take on their device.
#include <gtest/gtest.h>

#include "dse/graph/class_split.hpp"
#include "dse/sim/engine.hpp"
#include "support/random_graph.hpp"

namespace dse {
namespace {

using graph::DeviceClass;
using graph::MeshAxis;

constexpr int classes = 3;

/// By class and WorkId: kernels two thirds as long, or twice.
std::vector<std::vector<double>> tables_of(const test::TimedGraph& timed) {
    std::vector<std::vector<double>> tables;
    for (const double factor : {2.0 / 3.0, 2.0}) {
        std::vector<double>& table = tables.emplace_back();
        for (std::size_t i = 0; i < timed.graph.works.size(); ++i)
            table.push_back(sim::quantise(timed.durations.of_work[i].duration * factor));
    }
    return tables;
}

sim::Durations by_work(const test::TimedGraph& timed, const graph::ClassSplit& split,
                       const std::vector<std::vector<double>>& tables) {
    // A kernel of a class is the copy of one that has the same place in the copied regions; it takes what the
    // original takes there. Copies are made in the order of program, region and item, so they are found by
    // walking both.
    sim::Durations durations = timed.durations;
    durations.of_work.resize(split.graph().works.size());
    const graph::Graph& graph = split.graph();
    const auto walk = [&](auto&& self, graph::RegionId own, graph::RegionId original) -> void {
        for (std::size_t i = 0; i < graph.regions[own.index()].items.size(); ++i) {
            const graph::Item& copy = graph.regions[own.index()].items[i];
            const graph::Item& first = timed.graph.regions[original.index()].items[i];
            if (copy.kind == graph::Item::Kind::repeat) {
                self(self, copy.body, first.body);
                continue;
            }
            const DeviceClass device = split.class_of_work()[copy.work.index()];
            if (device == 0) continue;
            const double time = tables[device - 1U][first.work.index()];
            durations.of_work[copy.work.index()] = {time, time, 0.0};
        }
    };
    for (std::size_t stage = 0; stage < graph.program_of.size(); ++stage) {
        const graph::StageProgram& own = graph.programs[graph.program_of[stage]];
        const graph::StageProgram& original = timed.graph.programs[timed.graph.program_of[stage]];
        walk(walk, own.update, original.update);
        walk(walk, own.finish, original.finish);
        for (std::size_t c = 0; c < own.chunks.size(); ++c) {
            for (std::size_t r = 0; r < graph::regions_a_chunk; ++r)
                walk(walk, region_of(own.chunks[c], r), region_of(original.chunks[c], r));
        }
    }
    return durations;
}

sim::Durations by_rank(const test::TimedGraph& timed, const std::vector<DeviceClass>& of_stage,
                       const std::vector<std::vector<double>>& tables) {
    sim::Durations durations = timed.durations;
    durations.kernel_tables = tables;
    for (std::int64_t rank = 0; rank < timed.graph.mesh.ranks(); ++rank)
        durations.kernel_table_of.push_back(
            of_stage[static_cast<std::size_t>(timed.graph.mesh.coordinate(MeshAxis::pipeline, rank))]);
    return durations;
}

TEST(DeviceClasses, FoldedOnASplitGraphIsEventOnRanks) {
    const auto folded = sim::engines().find("folded")();
    const auto event = sim::engines().find("event")();
    int differ = 0;
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        const test::TimedGraph timed = test::RandomGraph{seed, {}}.make();
        std::mt19937_64 random{seed};
        std::vector<DeviceClass> of_stage;
        for (std::uint32_t i = 0; i < timed.graph.schedule.stages; ++i)
            of_stage.push_back(static_cast<DeviceClass>(random() % classes));
        graph::ClassSplit split;
        split.read(timed.graph, of_stage);
        graph::validate(split.graph());
        const auto tables = tables_of(timed);
        const sim::Durations works = by_work(timed, split, tables);
        const sim::Durations ranks = by_rank(timed, of_stage, tables);
        sim::validate(works, split.graph());
        sim::validate(ranks, timed.graph);
        const sim::Result one = folded->play(split.graph(), works);
        const sim::Result other = event->play(timed.graph, ranks);
        ASSERT_EQ(one.iteration_time, other.iteration_time) << seed;
        ASSERT_EQ(one.last_stage, other.last_stage) << seed;
        ASSERT_EQ(one.stages, other.stages) << seed;
        ASSERT_EQ(one.parts, other.parts) << seed;
        ASSERT_EQ(folded->peak_memory(split.graph()), event->peak_memory(timed.graph)) << seed;
        if (one.iteration_time != folded->play(timed.graph, timed.durations).iteration_time) ++differ;
    }
    EXPECT_GT(differ, 60) << "classes must matter";
}

}  // namespace
}  // namespace dse
