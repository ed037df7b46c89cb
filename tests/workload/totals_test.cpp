#include "dse/workload/totals.hpp"

#include <gtest/gtest.h>

namespace dse::workload {
namespace {

constexpr std::size_t index_of(MeshAxis axis) {
    return static_cast<std::size_t>(axis);
}

Item node(std::size_t work) {
    Item item;
    item.work = WorkId{static_cast<std::uint32_t>(work)};
    return item;
}

/// Two stages of 4 tensor-parallel ranks; 3 microbatches. A forward plays a layer (a kernel, an all-reduce)
/// five times, a backward plays one kernel; the first forward launches 7 kernels in addition, the update
/// gathers.
Graph two_stages() {
    Graph graph;
    graph.streams = {"compute"};
    graph.mesh.size[index_of(MeshAxis::tensor)] = 4;
    graph.mesh.size[index_of(MeshAxis::pipeline)] = 2;
    make_schedule(ScheduleKind::one_f_one_b, 2, 3, 1, graph.schedule);

    Compute kernel;
    kernel.model_flop = Flop{10};
    kernel.executed_flop = Flop{12};
    kernel.read = Bytes{3};
    kernel.written = Bytes{1};
    graph.works = {kernel,
                   Collective{CollectiveKind::all_reduce, MeshAxis::tensor, Bytes{8}, 1.0},
                   Transfer{Bytes{100}, 0.0},
                   Transfer{Bytes{50}, 0.0},
                   Launch{7},
                   Collective{CollectiveKind::all_gather, MeshAxis::tensor, Bytes{16}, 1.0},
                   Collective{}};
    graph.send_forward = WorkId{2};
    graph.send_backward = WorkId{3};
    graph.barrier = WorkId{6};

    Item layers;
    layers.kind = Item::Kind::repeat;
    layers.body = RegionId{0};
    graph.regions = {{"layer", 0, {node(0), node(1)}, {}},
                     {"forward", 1, {layers}, {}},
                     {"forward_first", 1, {node(4), layers}, {}},
                     {"backward", 1, {node(0)}, {}},
                     {"update", 0, {node(5)}, {}},
                     {"finish", 0, {}, {}}};
    StageProgram program;
    program.chunks = {{RegionId{1}, RegionId{2}, RegionId{3}, RegionId{3}, RegionId{3}, RegionId{3}}};
    program.update = RegionId{4};
    program.finish = RegionId{5};
    program.counts = {5};
    graph.programs = {program};
    graph.program_of = {0, 0};
    return graph;
}

// Kernels of one rank: 3 forwards of 5 layers, 3 backwards: 18.
constexpr double kernels_of_a_rank = 3 * 5 + 3;

TEST(Totals, OfAStageCountRepeatsAndMicrobatches) {
    const Graph graph = two_stages();
    TotalsCounter counter;
    counter.read(graph);
    const Totals first = counter.stage(graph, 0);
    EXPECT_EQ(first.model_flop, Flop{10 * kernels_of_a_rank});
    EXPECT_EQ(first.executed_flop, Flop{12 * kernels_of_a_rank});
    EXPECT_EQ(first.memory_traffic, Bytes{4 * kernels_of_a_rank});
    EXPECT_EQ(first.kernels, 7.0);  // the first forward only
}

TEST(Totals, SendWhatTheRingFactorsSay) {
    const Graph graph = two_stages();
    TotalsCounter counter;
    counter.read(graph);
    // 15 all-reduces of 8 B over 4 ranks: 2 · 3/4 · 8 = 12 B each. One all-gather of 16 B: 3/4 · 16 = 12 B.
    const double collectives = 15 * 12 + 12;
    // Stage 0 sends 3 activations of 100 B, stage 1 sends 3 gradients of 50 B.
    EXPECT_EQ(counter.stage(graph, 0).sent, Bytes{collectives + 300});
    EXPECT_EQ(counter.stage(graph, 1).sent, Bytes{collectives + 150});
}

TEST(Totals, OfAllRanksAreThoseOfTheStagesTimesTheirRanks) {
    const Graph graph = two_stages();
    const Totals all = totals(graph);
    EXPECT_EQ(all.model_flop, Flop{8 * 10 * kernels_of_a_rank});
    EXPECT_EQ(all.sent, Bytes{4 * (2 * (15 * 12 + 12) + 300 + 150)});
    EXPECT_EQ(all.kernels, 8 * 7.0);
}

TEST(Totals, SkipWhatAStageDoesNotRepeat) {
    Graph graph = two_stages();
    graph.programs[0].counts = {0};
    EXPECT_EQ(totals(graph).model_flop, Flop{8 * 10 * 3});
}

TEST(Totals, AddAndScaleEveryField) {
    const Totals one{Flop{1}, Flop{2}, Bytes{3}, Bytes{4}, 5.0};
    Totals sum = one;
    sum += one * 2.0;
    EXPECT_EQ(sum.model_flop, Flop{3});
    EXPECT_EQ(sum.executed_flop, Flop{6});
    EXPECT_EQ(sum.memory_traffic, Bytes{9});
    EXPECT_EQ(sum.sent, Bytes{12});
    EXPECT_EQ(sum.kernels, 15.0);
}

TEST(CollectivesOfStage, CountByKindAndAxes) {
    const CollectiveTotals found = collectives_of_stage(two_stages(), 0);
    const std::uint8_t tensor = AxisSet{MeshAxis::tensor}.bits();
    ASSERT_EQ(found.size(), 2U);
    const CollectiveTotal& reduces = found.at({CollectiveKind::all_reduce, tensor});
    EXPECT_EQ(reduces.count, 15.0);
    EXPECT_EQ(reduces.size, Bytes{15 * 8});
    const CollectiveTotal& gathers = found.at({CollectiveKind::all_gather, tensor});
    EXPECT_EQ(gathers.count, 1.0);
    EXPECT_EQ(gathers.size, Bytes{16});
}

}  // namespace
}  // namespace dse::workload
