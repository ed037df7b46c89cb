#include "dse/graph/totals.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/collective_totals.hpp"

namespace dse::graph {
namespace {

/// Two stages of four ranks. A task has one node and a row of `layers` equal ones; the first microbatch and
/// the last have regions of their own.
class TwoStages {
  public:
    explicit TwoStages(std::int64_t layers) {
        graph.mesh = graph::Mesh::dense(2, 1, 2, 2);
        graph.streams = {"compute", "tp"};
        Compute compute;
        compute.model_flop = Flop{10};
        compute.executed_flop = Flop{12};
        compute.read = Bytes{3};
        compute.written = Bytes{4};
        const WorkId kernel = add(compute);
        const WorkId gather = add(Collective{CollectiveKind::all_gather, MeshAxis::tensor, Bytes{100}, 1.0});
        const WorkId reduce = add(Collective{CollectiveKind::all_reduce, MeshAxis::data, Bytes{1000}, 1.0});
        const WorkId launch = add(Launch{5});
        graph.send_forward = add(Transfer{Bytes{7}, 0.0});
        graph.send_backward = add(Transfer{Bytes{9}, 0.0});
        graph.barrier = add(Collective{CollectiveKind::all_reduce, MeshAxis::pipeline, Bytes{4}, 1.0});

        const RegionId body = region({node(kernel), node(gather)});
        const RegionId task = region({node(launch), repeat(body)});
        const RegionId last = region({node(launch), repeat(body), node(reduce)});
        const RegionId step = region({node(kernel)});
        StageProgram program;
        program.counts = {layers};
        program.chunks = {{task, task, task, last, task, last}};
        program.update = step;
        program.finish = step;
        graph.programs = {program};
        graph.program_of = {0, 0};
        make_schedule(ScheduleKind::one_f_one_b, 2, microbatches, 1, graph.schedule);
    }

    static constexpr std::uint32_t microbatches = 3;
    Graph graph;

  private:
    WorkId add(Work work) {
        graph.works.push_back(std::move(work));
        return WorkId(graph.works.size() - 1);
    }
    RegionId region(std::vector<Item> items) {
        Region result;
        result.items = std::move(items);
        graph.regions.push_back(std::move(result));
        return RegionId(graph.regions.size() - 1);
    }
    static Item node(WorkId work) {
        Item item;
        item.work = work;
        return item;
    }
    static Item repeat(RegionId body) {
        Item item;
        item.kind = Item::Kind::repeat;
        item.body = body;
        return item;
    }
};

TEST(Totals, CountEveryNodeOfEveryTask) {
    const TwoStages two(5);
    TotalsCounter counter;
    counter.read(two.graph);
    const Totals stage = counter.stage(two.graph, 0);
    // 2 passes · 3 microbatches · 5 layers kernels, and those of update and finish.
    EXPECT_EQ(stage.model_flop.value(), 10 * (2 * 3 * 5 + 2));
    EXPECT_EQ(stage.executed_flop.value(), 12 * (2 * 3 * 5 + 2));
    EXPECT_EQ(stage.memory_traffic.value(), 7 * (2 * 3 * 5 + 2));
    EXPECT_EQ(stage.kernels, 5 * 2 * 3);
}

/// docs/theory/communication.md: (n-1)/n of a gather's full buffer, twice that of an all-reduce's; messages
/// of 7 B forward.
TEST(Totals, CountBytesSent) {
    const TwoStages two(5);
    TotalsCounter counter;
    counter.read(two.graph);
    const double collectives = 2 * 3 * 5 * 100 * 0.5 + 1000;
    EXPECT_EQ(counter.stage(two.graph, 0).sent.value(), collectives + 3 * 7)
        << "the first sends forward only";
    EXPECT_EQ(counter.stage(two.graph, 1).sent.value(), collectives + 3 * 9) << "the last backward only";
}

/// A ring shift sends its buffer once, whatever the ranks; nothing leaves a rank that is alone.
TEST(Totals, CountWhatARingShiftSends) {
    TwoStages two(0);
    two.graph.works[1] = Collective{CollectiveKind::ring_shift, MeshAxis::tensor, Bytes{100}, 1.0};
    const auto sent = [&](std::int64_t layers) {
        for (StageProgram& program : two.graph.programs) program.counts = {layers};
        TotalsCounter counter;
        counter.read(two.graph);
        return counter.stage(two.graph, 0).sent.value();
    };
    EXPECT_EQ(sent(1) - sent(0), 2 * 3 * 100);
    two.graph.mesh.size = {1, 1, 1, 4, 2};
    EXPECT_EQ(sent(1) - sent(0), 0);
}

TEST(Totals, AreThoseOfAllRanks) {
    const TwoStages two(5);
    // Two stages of four ranks each.
    EXPECT_EQ(totals(two.graph).model_flop.value(), 8 * 10 * (2 * 3 * 5 + 2));
    EXPECT_EQ(totals(two.graph).sent.value(), 4 * (2 * (2 * 3 * 5 * 100 * 0.5 + 1000) + 3 * 7 + 3 * 9));
}

TEST(Totals, RowsOfNothingCountNothing) {
    const TwoStages two(0);
    EXPECT_EQ(totals(two.graph).model_flop.value(), 8 * 10 * 2);
    EXPECT_EQ(dse::test::collectives_of_stage(two.graph, 0).size(), 1U)
        << "the reduction of the last microbatch";
}

TEST(Totals, CollectivesAreCountedByKindAndGroup) {
    const TwoStages two(5);
    const dse::test::CollectiveTotals found = dse::test::collectives_of_stage(two.graph, 1);
    ASSERT_EQ(found.size(), 2U);
    const dse::test::CollectiveTotal& gathers =
        found.at({CollectiveKind::all_gather, AxisSet{MeshAxis::tensor}.bits()});
    EXPECT_EQ(gathers.count, 30);
    // Six tasks of a launch and five times two nodes, a reduction, update and finish.
    EXPECT_EQ(nodes_of_stage(two.graph, 1), 6 * (1 + 5 * 2) + 1 + 2);
    EXPECT_EQ(most_nodes_of_a_rank(two.graph), 69);
    EXPECT_EQ(gathers.size.value(), 3000);
    const dse::test::CollectiveTotal& reductions =
        found.at({CollectiveKind::all_reduce, AxisSet{MeshAxis::data}.bits()});
    EXPECT_EQ(reductions.count, 1);
    EXPECT_EQ(reductions.size.value(), 1000);
}

TEST(Totals, AddAndScale) {
    Totals one;
    one.model_flop = Flop{1};
    one.executed_flop = Flop{2};
    one.memory_traffic = Bytes{3};
    one.sent = Bytes{4};
    one.kernels = 5;
    Totals sum = one * 2.0;
    sum += one;
    EXPECT_EQ(sum.model_flop.value(), 3);
    EXPECT_EQ(sum.executed_flop.value(), 6);
    EXPECT_EQ(sum.memory_traffic.value(), 9);
    EXPECT_EQ(sum.sent.value(), 12);
    EXPECT_EQ(sum.kernels, 15);
}

// DualPipe, two stages and four microbatches a copy. Stage 0: F0.0 F1.0, then F0.1 by itself, whole B1.0, the
// pairs F1.1|B0.0, F0.2|B1.1, F1.2|B0.1, F0.3|B1.2, F1.3|B0.2, then whole B1.3, B0.3 and its weight pass. The
// n-th region of a chunk has one kernel of 10^n FLOPs.
TEST(Totals, CountPairsAndWholeBackwards) {
    Graph graph;
    make_schedule(ScheduleKind::dualpipe, 2, 8, 2, graph.schedule);
    graph.mesh.set_degree(MeshAxis::pipeline, 2);
    for (std::size_t n = 0; n < regions_a_chunk; ++n) {
        Compute compute;
        compute.executed_flop = Flop{std::pow(10.0, static_cast<double>(n))};
        graph.works.emplace_back(compute);
        Item item;
        item.work = WorkId{n};
        graph.regions.push_back({"region", 1, {item}, {ValueRef::none()}});
    }
    graph.regions.emplace_back();
    StageProgram program;
    const auto id = [](std::size_t n) { return RegionId{n}; };
    program.chunks.assign(2, {id(0), id(1), id(2), id(3), id(4), id(5), id(6), id(7), id(8)});
    program.update = program.finish = RegionId{regions_a_chunk};
    graph.programs = {program};
    graph.program_of = {0, 0};
    TotalsCounter counter;
    counter.read(graph);
    // 5 pairs, 1 + 1 whole backwards, 1 split one, 2 first forwards and 1 other.
    EXPECT_EQ(counter.stage(graph, 0).executed_flop.value(), 511'101'021.0);
    EXPECT_EQ(counter.stage(graph, 1).executed_flop.value(), 511'101'021.0);
    EXPECT_EQ(nodes_of_stage(graph, 0), 5 + 1 + 1 + 1 + 1 + 2 + 1);
}

/// One step or two through two stages: a task of either stage has 5 launches; activations of 7 bytes go on,
/// tokens of 2 go round between the steps.
TEST(Totals, OfInferenceHaveForwardPassesAlone) {
    TwoStages pipeline(1);
    Graph& graph = pipeline.graph;
    graph.works.push_back(Transfer{Bytes{2}, 0.0});
    graph.send_around = WorkId(graph.works.size() - 1);
    graph.programs[0].chunks.resize(3, graph.programs[0].chunks[0]);
    TotalsCounter counter;
    for (const std::uint32_t steps : {1U, 2U}) {
        make_forward_schedule(2, TwoStages::microbatches, steps, graph.schedule);
        counter.read(graph);
        const Totals first = counter.stage(graph, 0);
        const Totals last = counter.stage(graph, 1);
        EXPECT_EQ(first.kernels, 5.0 * 3 * steps) << "not of the spare chunk, nor of a backward pass";
        // All-gathers of 100 bytes over two ranks send 50.
        EXPECT_EQ(first.sent.value(), (50.0 + 7.0) * 3 * steps);
        EXPECT_EQ(last.sent.value(), 50.0 * 3 * steps + 2.0 * 3 * (steps - 1));
    }
}

}  // namespace
}  // namespace dse::graph
