// The first and the last stage of a model with a tied embedding sum its gradients before the iteration ends.
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/graph/totals.hpp"
#include "dse/sim/engine.hpp"
#include "small_models.hpp"

namespace dse {
namespace {

using graph::Collective;
using graph::Members;
using graph::MeshAxis;
using graph::OpClass;

class TiedEmbedding : public testing::Test {
  protected:
    const graph::Graph& build(const std::string& model, std::int64_t pp,
                              graph::ScheduleKind schedule = graph::ScheduleKind::one_f_one_b) {
        graph::WorkloadSpec spec;
        spec.model = model;
        spec.global_batch = schedule == graph::ScheduleKind::dualpipe ? 2 * pp : 1;
        spec.sequence = 32;
        spec.layout.pp = pp;
        spec.layout.schedule = schedule;
        return frontend_.build(spec, graph::resolve(spec.layout, pp, spec.global_batch));
    }

    test::SmallModels models_;
    frontend::TemplateFrontend frontend_{models_.frontend()};
};

TEST_F(TiedEmbedding, MeetsOnlyBetweenDifferentStages) {
    EXPECT_EQ(graph::meeting_pairs(build("small_gpt", 1)), 0U);
    EXPECT_EQ(graph::meeting_pairs(build("small_gpt", 2)), 1U);
    EXPECT_EQ(graph::meeting_pairs(build("small_gpt", 4)), 1U);
    EXPECT_EQ(graph::meeting_pairs(build("small_llama", 4)), 0U);
}

/// A V has both ends of the model on its first stage. Two copies have each table twice, as all else: every
/// pair of stages reduces what both have, and no table apart.
TEST_F(TiedEmbedding, IsOnOneStageOfAV) {
    EXPECT_EQ(graph::meeting_pairs(build("small_gpt", 4, graph::ScheduleKind::zb_v)), 0U);
    for (const char* model : {"small_gpt", "small_llama"}) {
        const graph::Graph& graph = build(model, 4, graph::ScheduleKind::dualpipe);
        EXPECT_EQ(graph::meeting_pairs(graph), 2U);
        for (std::size_t stage = 0; stage < 4; ++stage) {
            const auto& program = graph.programs[graph.program_of[stage]];
            const graph::Item& first = graph.regions[program.finish.index()].items.front();
            const auto& reduction = std::get<Collective>(graph.works[first.work.index()]);
            EXPECT_EQ(reduction.members, Members::mirrors);
            // All of them, once: 4 B of gradients as of parameters, or with ZeRO a share.
            double gradients = 0;
            for (const graph::BufferId id : program.resident) {
                const graph::Buffer& buffer = graph.buffers[id.index()];
                if (buffer.kind == graph::MemoryKind::gradients) gradients += buffer.size.value();
            }
            EXPECT_EQ(reduction.size.value(), gradients);
        }
    }
}

/// One microbatch on three stages. All takes no time but the embedding, 3 s forward and 3 s backward, the sum
/// of its gradients, 5 s, and the last stage's gradient norm, 2 s.
/// Stage 2 waits 3 s for its first message (bubble), has nothing more to do until stage 0 is done, 3 s later
/// (imbalance), then 5 s of communication and 2 s of its own: 13 s.
TEST_F(TiedEmbedding, TakesItsTimeWhenTheLaterEndIsThere) {
    const graph::Graph& graph = build("small_gpt", 3);
    sim::Durations durations;
    durations.of_work.assign(graph.works.size(), {});
    for (std::size_t i = 0; i < graph.works.size(); ++i) {
        const auto* compute = std::get_if<graph::Compute>(&graph.works[i]);
        if (compute != nullptr && compute->op_class == OpClass::embedding) durations.of_work[i] = {3, 3, 0};
        const auto* collective = std::get_if<Collective>(&graph.works[i]);
        if (collective != nullptr && collective->members == Members::ends) durations.of_work[i] = {5, 5, 0};
    }
    const auto& last = graph.programs[graph.program_of[2]];
    const graph::Item& norm = graph.regions[last.finish.index()].items.back();
    durations.of_work[norm.work.index()] = {2, 2, 0};
    durations.forward.assign(3, {});
    durations.backward.assign(3, {});
    for (const char* name : {"folded", "event"}) {
        const sim::Result result = sim::engines().find(name)()->play(graph, durations);
        EXPECT_EQ(result.iteration_time, 13) << name;
        EXPECT_EQ(result.last_stage, 2U) << name;
        EXPECT_EQ(result.stages[result.last_stage].bubble, 3) << name;
        EXPECT_EQ(result.stages[result.last_stage].imbalance, 3) << name;
        EXPECT_EQ(result.stages[result.last_stage].communication[graph::AxisSet{MeshAxis::pipeline}.bits()],
                  5)
            << name;
        EXPECT_EQ(result.stages[result.last_stage].compute[static_cast<std::size_t>(OpClass::optimizer)], 2)
            << name;
    }
}

/// docs/theory/communication.md: an all-reduce of two sends its vector once; 4 B a parameter of the table.
TEST_F(TiedEmbedding, EachEndSendsTheTableOnce) {
    const graph::Graph& graph = build("small_gpt", 4);
    graph::TotalsCounter counter;
    counter.read(graph);
    const double message = 2 * 32 * 64;  // bf16 activations, one microbatch
    EXPECT_EQ(counter.stage(graph, 0).sent.value(), 4 * 128 * 64 + message);
    EXPECT_EQ(counter.stage(graph, 1).sent.value(), 2 * message);
    EXPECT_EQ(counter.stage(graph, 3).sent.value(), 4 * 128 * 64 + message);
}

TEST_F(TiedEmbedding, AnythingElseIsNoGraph) {
    const graph::Graph good = build("small_gpt", 3);
    EXPECT_NO_THROW(graph::validate(good));
    graph::Graph graph = good;
    graph.programs[graph.program_of[2]].finish = graph.programs[graph.program_of[1]].finish;
    EXPECT_THROW(graph::validate(graph), ContractViolation) << "one end alone";
    graph = good;
    graph.programs[graph.program_of[1]].finish = graph.programs[graph.program_of[0]].finish;
    EXPECT_THROW(graph::validate(graph), ContractViolation) << "a stage between";
    graph = good;
    auto& items = graph.regions[graph.programs[graph.program_of[0]].finish.index()].items;
    std::swap(items.front(), items.back());
    EXPECT_THROW(graph::validate(graph), ContractViolation) << "not at the beginning";
    graph = good;
    graph.regions[graph.programs[graph.program_of[0]].finish.index()].items.front().stream =
        graph::StreamId{1};
    EXPECT_THROW(graph::validate(graph), ContractViolation) << "on another stream";
}

}  // namespace
}  // namespace dse
