#include "dse/graph/graph.hpp"

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::graph {
namespace {

/// Two stages, two microbatches: a forward of two layers, which saves a value, and a backward.
Graph good_graph() {
    Graph graph;
    graph.streams = {"compute", "dp"};
    make_schedule(ScheduleKind::one_f_one_b, 2, 2, 1, graph.schedule);
    graph.mesh.size[static_cast<std::size_t>(MeshAxis::pipeline)] = 2;
    graph.works = {Compute{}, Transfer{}, Collective{}};
    graph.send_forward = graph.send_backward = WorkId{1};
    graph.barrier = WorkId{2};
    graph.buffers.resize(1);

    Item kernel;
    kernel.inputs = {ValueRef::port(0)};
    kernel.allocates = {BufferId{0}};
    Item layers;
    layers.kind = Item::Kind::repeat;
    layers.body = RegionId{0};
    layers.inputs = {ValueRef::port(0)};
    graph.regions = {{"layer", 1, {kernel}, {ValueRef::item(0)}},
                     {"forward", 1, {layers}, {ValueRef::item(0), ValueRef::item(0)}},
                     {"backward", 2, {kernel}, {ValueRef::item(0)}},
                     {"nothing", 0, {}, {}}};
    StageProgram program;
    program.chunks = {{RegionId{1}, RegionId{1}, RegionId{2}, RegionId{2}, RegionId{3}, RegionId{3}}};
    program.update = program.finish = RegionId{3};
    program.counts = {2};
    graph.programs = {program};
    graph.program_of = {0, 0};
    return graph;
}

TEST(ValidateGraph, TakesAGoodOne) {
    EXPECT_NO_THROW(validate(good_graph()));
}

struct Fault {
    std::string name;
    std::string message;  ///< part of it
    std::function<void(Graph&)> plant;
};

class ValidateGraphFault : public ::testing::TestWithParam<Fault> {};

TEST_P(ValidateGraphFault, IsFound) {
    Graph graph = good_graph();
    GetParam().plant(graph);
    try {
        validate(graph);
        FAIL() << "not found";
    } catch (const ContractViolation& error) {
        EXPECT_NE(std::string{error.what()}.find(GetParam().message), std::string::npos) << error.what();
    }
}

INSTANTIATE_TEST_SUITE_P(
    Graph, ValidateGraphFault,
    ::testing::Values(
        Fault{"Streams", "0 streams", [](Graph& g) { g.streams.clear(); }},
        Fault{"MessagesOnCompute", "messages go on stream 0",
              [](Graph& g) { g.message_stream = compute_stream; }},
        Fault{"MessagesNowhere", "messages go on stream 2", [](Graph& g) { g.message_stream = StreamId{2}; }},
        Fault{"Work", "region 'layer': item 0 names a work",
              [](Graph& g) { g.regions[0].items[0].work = WorkId{9}; }},
        Fault{"Stream", "names a stream", [](Graph& g) { g.regions[0].items[0].stream = StreamId{2}; }},
        Fault{"Transfer", "is a transfer", [](Graph& g) { g.regions[0].items[0].work = WorkId{1}; }},
        Fault{"Buffer", "names a buffer", [](Graph& g) { g.regions[0].items[0].frees = {BufferId{1}}; }},
        Fault{"Port", "uses port 1 of 1",
              [](Graph& g) { g.regions[0].items[0].inputs = {ValueRef::port(1)}; }},
        Fault{"Order", "before it is issued",
              [](Graph& g) { g.regions[0].items[0].inputs = {ValueRef::item(0)}; }},
        Fault{"Output", "uses output 1 of item 0",
              [](Graph& g) { g.regions[1].outputs[0] = ValueRef::item(0, 1); }},
        Fault{"OpenBody", "outputs are not its ports", [](Graph& g) { g.regions[0].outputs.clear(); }},
        Fault{"BodyInputs", "every port of its body", [](Graph& g) { g.regions[1].items[0].inputs.clear(); }},
        Fault{"Circle", "repeats itself",
              [](Graph& g) {
                  g.regions[1].items[0].body = RegionId{1};
                  g.regions[1].outputs.pop_back();
              }},
        Fault{"Count", "a count that the program lacks", [](Graph& g) { g.programs[0].counts.clear(); }},
        Fault{"Negative", "negative count", [](Graph& g) { g.programs[0].counts = {-1}; }},
        Fault{"Saved", "what the pass before saved", [](Graph& g) { g.regions[2].ports = 1; }},
        Fault{"Boundary", "no boundary output", [](Graph& g) { g.regions[2].outputs.clear(); }},
        Fault{"Update", "update has ports", [](Graph& g) { g.programs[0].update = RegionId{0}; }},
        Fault{"Program", "no such program", [](Graph& g) { g.program_of[1] = 1; }},
        Fault{"Mesh", "another number of stages", [](Graph& g) { g.mesh = graph::Mesh::dense(1, 1, 1, 1); }},
        Fault{"Chunk", "a task of chunk 1", [](Graph& g) { g.schedule.tasks[0][0].chunk = 1; }},
        Fault{"Twice", "appears twice", [](Graph& g) { g.schedule.tasks[0][1] = g.schedule.tasks[0][0]; }},
        Fault{"Backward", "backward before forward",
              [](Graph& g) { std::swap(g.schedule.tasks[1][0], g.schedule.tasks[1][1]); }},
        Fault{"Channel", "sends in another order",
              [](Graph& g) { std::swap(g.schedule.tasks[0][0], g.schedule.tasks[0][1]); }},
        Fault{"Send", "no transfer between the stages", [](Graph& g) { g.send_forward = WorkId{0}; }}),
    [](const auto& fault) { return fault.param.name; });

TEST(ValidateGraph, FindsAWrongSteadyPhase) {
    Graph graph = good_graph();
    make_schedule(ScheduleKind::one_f_one_b, 2, 12, 1, graph.schedule);
    ASSERT_GT(graph.schedule.steady.rounds, 5U);
    EXPECT_NO_THROW(validate(graph));
    ++graph.schedule.steady.begin[0];
    EXPECT_THROW(validate(graph), ContractViolation);
    graph.schedule.steady.begin[0] = 0;
    EXPECT_THROW(validate(graph), ContractViolation);
}

TEST(ValidateGraph, FindsASteadyPhaseOutOfOrder) {
    Graph graph = good_graph();
    make_schedule(ScheduleKind::one_f_one_b, 2, 12, 1, graph.schedule);
    // The first two forwards of both stages change places: they are none of the steady phase's.
    for (auto* tasks : {&graph.schedule.tasks[0], &graph.schedule.tasks[1]}) {
        for (Task& task : *tasks) {
            if (task.microbatch < 2) task.microbatch = 1 - task.microbatch;
        }
    }
    EXPECT_THROW(validate(graph), ContractViolation);
}

/// One chunk up, one down, with regions for pairs.
Graph good_pairs() {
    Graph graph = good_graph();
    make_schedule(ScheduleKind::dualpipe, 2, 12, 2, graph.schedule);
    graph.regions.push_back({"pair", 3, {}, {ValueRef::port(0), ValueRef::port(1), ValueRef::port(2)}});
    ChunkProgram& chunk = graph.programs[0].chunks[0];
    graph.regions.push_back({"weight", 1, {}, {ValueRef::none()}});
    chunk.whole = chunk.whole_last = chunk.backward;
    chunk.weight = chunk.weight_last = RegionId{5};
    chunk.overlapped = RegionId{4};
    graph.programs[0].chunks.push_back(chunk);
    return graph;
}

std::size_t first_pair(const std::vector<Task>& tasks) {
    return static_cast<std::size_t>(
        std::find_if(tasks.begin(), tasks.end(),
                     [](const Task& task) { return played_together(task) == 2; }) -
        tasks.begin());
}

TEST(ValidateGraph, TakesPairsOfAForwardAndAWholeBackward) {
    EXPECT_NO_THROW(validate(good_pairs()));
    const auto refuses = [](const std::function<void(Graph&)>& plant) {
        Graph graph = good_pairs();
        graph.schedule.steady.rounds = 0;
        plant(graph);
        EXPECT_THROW(validate(graph), ContractViolation);
    };
    refuses([](Graph& graph) {
        std::vector<Task>& tasks = graph.schedule.tasks[0];
        tasks[first_pair(tasks) + 1].form = Form::plain;
    });
    refuses([](Graph& graph) { graph.schedule.tasks[1].back().form = Form::overlapped; });
    refuses([](Graph& graph) { graph.regions[4].ports = 2; });
    refuses([](Graph& graph) { graph.regions[4].outputs.pop_back(); });
    refuses([](Graph& graph) { graph.regions[4].outputs.clear(); });
}

TEST(RegionOf, PicksThePeeledOnes) {
    PipelineSchedule schedule;
    schedule.microbatches = 3;
    StageProgram program;
    program.chunks = {{RegionId{0}, RegionId{1}, RegionId{2}, RegionId{3}, RegionId{4}, RegionId{5}}};
    const auto region = [&](Pass pass, std::uint32_t microbatch) {
        return region_of(program, {pass, 0, microbatch}, schedule).index();
    };
    EXPECT_EQ(region(Pass::forward, 0), 1U);
    EXPECT_EQ(region(Pass::forward, 2), 0U);
    EXPECT_EQ(region(Pass::backward, 0), 2U);
    EXPECT_EQ(region(Pass::backward, 2), 3U);
    EXPECT_EQ(region(Pass::weight, 1), 4U);
    EXPECT_EQ(region(Pass::weight, 2), 5U);

    program.chunks[0].whole = RegionId{6};
    program.chunks[0].whole_last = RegionId{7};
    program.chunks[0].overlapped = RegionId{8};
    EXPECT_EQ(region_of(program, {Pass::backward, 0, 1, Form::whole}, schedule), RegionId{6});
    EXPECT_EQ(region_of(program, {Pass::backward, 0, 2, Form::whole}, schedule), RegionId{7});
    EXPECT_EQ(region_of(program, {Pass::forward, 0, 1, Form::overlapped}, schedule), RegionId{8});
}

}  // namespace
}  // namespace dse::graph
