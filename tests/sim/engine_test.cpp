#include "dse/sim/engine.hpp"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/layer_graph.hpp"
#include "support/random_graph.hpp"
#include "support/small_graph.hpp"

namespace dse::sim {
namespace {

using graph::MeshAxis;
using graph::ScheduleKind;
using graph::ValueRef;
using test::SmallGraph;

/// What the compute stream of the stage that ends last did.
const Parts& last_stage(const Result& result) {
    return result.stages[result.last_stage];
}

double exposed(const Result& result, graph::AxisSet axes) {
    return last_stage(result).communication[axes.bits()];
}

// Folded against event, bit for bit

void expect_equal(const Result& folded, const Result& event) {
    EXPECT_EQ(folded.iteration_time, event.iteration_time);
    EXPECT_EQ(folded.last_stage, event.last_stage);
    EXPECT_EQ(folded.stages, event.stages);
    for (const Parts& parts : folded.stages) EXPECT_EQ(parts.sum(), folded.iteration_time);
    EXPECT_EQ(folded.parts, event.parts);
    EXPECT_EQ(folded.parts->sum(), folded.iteration_time);
}

/// \return of how many the folded engine left out rounds
int compare_engines(const test::RandomShape& shape, std::uint64_t first_seed, std::uint64_t cases) {
    const auto folded = engines().find("folded")();
    const auto event = engines().find("event")();
    int jumps = 0;
    for (std::uint64_t seed = first_seed; seed < first_seed + cases; ++seed) {
        SCOPED_TRACE(seed);
        const test::TimedGraph made = test::RandomGraph{seed, shape}.make();
        EXPECT_NO_THROW(graph::validate(made.graph));
        EXPECT_NO_THROW(validate(made.durations, made.graph));
        const Result result = folded->play(made.graph, made.durations);
        expect_equal(result, event->play(made.graph, made.durations));
        EXPECT_EQ(folded->peak_memory(made.graph), event->peak_memory(made.graph));
        const auto& tasks = made.graph.schedule.tasks;
        jumps += result.task_visits < tasks[0].size() * made.graph.schedule.stages ? 1 : 0;
        if (::testing::Test::HasFailure()) break;
    }
    return jumps;
}

/// What both engines say.
Result play_both(const SmallGraph& made) {
    const Result result = engines().find("folded")()->play(made.graph, made.durations);
    expect_equal(result, engines().find("event")()->play(made.graph, made.durations));
    return result;
}

// Two stages, one microbatch, F = 1 and a collective of 3 behind it, B = 2, messages of 1 on its stream:
//   stage 0: F 0–1, collective 1–4, message 4–5;                                   B 10–12
//   stage 1:                                   F 5–6, collective 6–9, B 6–8, message 9–10
// With streams of their own messages are there at 2 and 6, and B ends at 8.
TEST(Engines, MessagesWaitForWhatStandsBeforeThemOnTheirStream) {
    SmallGraph made{2};
    made.pipeline(ScheduleKind::one_f_one_b, 2, 1);
    const graph::RegionId forward =
        made.region(1,
                    {SmallGraph::node(made.kernel(1), {ValueRef::port(0)}),
                     SmallGraph::node(made.collective(MeshAxis::tensor, 3), {ValueRef::item(0)}, 1)},
                    {ValueRef::item(0)});
    made.program(forward, made.pass(2));
    made.finish(1);
    EXPECT_EQ(play_both(made).iteration_time, 8.0);
    made.graph.message_stream = graph::StreamId{1};
    const Result result = play_both(made);
    EXPECT_EQ(result.iteration_time, 12.0);
    EXPECT_EQ(last_stage(result).compute_time(), 3.0);
}

// Two stages, F = 1, B = 2 and a reduction of 5 behind it on stream 2; then both add something for 1 on
// stream 1:
//   stage 0: F 0–1, B 4–6, reduction 6–11, together 11–12
//   stage 1: F 1–2, B 2–4, reduction 4–9,  together 11–12
TEST(Engines, StagesMeetWhenAllTheirStreamsAreFree) {
    SmallGraph made{3};
    made.pipeline(ScheduleKind::one_f_one_b, 2, 1);
    const graph::RegionId backward =
        made.region(1,
                    {SmallGraph::node(made.kernel(2), {ValueRef::port(0)}),
                     SmallGraph::node(made.collective(MeshAxis::data, 5), {ValueRef::item(0)}, 2)},
                    {ValueRef::item(0)});
    const graph::WorkId both = made.collective(MeshAxis::pipeline, 1);
    std::get<graph::Collective>(made.graph.works[both.index()]).members = graph::Members::ends;
    const graph::RegionId together = made.region(0, {SmallGraph::node(both, {}, 1)}, {});
    made.program(made.pass(1), backward).finish = together;
    made.finish();
    EXPECT_EQ(play_both(made).iteration_time, 12.0);
}

// The event engine asks whether it may go on, in both of its functions, and plays as ever after it was
// stopped.
TEST(Engines, EventCanBeStoppedAtACheckpoint) {
    const test::LayerGraph made{{2, 16, 4, 4}};
    const auto engine = engines().find("event")();
    const Result undisturbed = engine->play(made.graph, made.durations);
    int calls = 0;
    engine->set_checkpoint([&] {
        if (++calls == 3) throw std::runtime_error("enough");
    });
    EXPECT_THROW(engine->play(made.graph, made.durations), std::runtime_error);
    EXPECT_EQ(calls, 3);
    expect_equal(engine->play(made.graph, made.durations), undisturbed);
    calls = 2;
    EXPECT_THROW(engine->peak_memory(made.graph), std::runtime_error);
}

TEST(Engines, AgreeOnSmallGraphs) {
    compare_engines({1, 1, 3, 5, 4, 1}, 1, 1000);
}

TEST(Engines, AgreeOnPipelines) {
    compare_engines({6, 3, 12, 10, 7, 1}, 10'000, 800);
}

TEST(Engines, AgreeOnMeshesOfSixtyFourRanksAndMore) {
    compare_engines({6, 2, 4, 6, 4, 4}, 20'000, 40);
}

TEST(Engines, AgreeOnLongRepeats) {
    compare_engines({2, 1, 3, 5, 60, 1}, 40'000, 300);
}

TEST(Engines, AgreeWhereRoundsAreLeftOut) {
    EXPECT_GT(compare_engines({4, 2, 48, 4, 6, 1}, 30'000, 400), 30);
}

TEST(Engines, AgreeOnALayeredModel) {
    const auto folded = engines().find("folded")();
    const auto event = engines().find("event")();
    for (const ScheduleKind kind : {ScheduleKind::gpipe, ScheduleKind::one_f_one_b, ScheduleKind::interleaved,
                                    ScheduleKind::zb_v, ScheduleKind::dualpipe}) {
        const bool one_chunk = kind == ScheduleKind::gpipe || kind == ScheduleKind::one_f_one_b;
        const test::LayerGraph made{{4, 24, 5, 4, kind, one_chunk ? 1U : 2U}};
        expect_equal(folded->play(made.graph, made.durations), event->play(made.graph, made.durations));
    }
}

// Cases by hand, for each engine

class EachEngine : public ::testing::TestWithParam<std::string> {
  protected:
    Result play(const SmallGraph& made) { return engine_->play(made.graph, made.durations); }
    MemoryPeak peak_memory(const SmallGraph& made) { return engine_->peak_memory(made.graph); }

  private:
    std::unique_ptr<Engine> engine_ = engines().find(GetParam())();
};

INSTANTIATE_TEST_SUITE_P(Engines, EachEngine, ::testing::Values("folded", "event"),
                         [](const auto& engine) { return engine.param; });

// Two stages, two microbatches, F = 1, B = 2, messages 0.25:
//   stage 0: F0 0–1, F1 1–2,                       B0 4.5–6.5, B1 7.5–9.5
//   stage 1: F0 1.25–2.25, B0 2.25–4.25, F1 4.25–5.25, B1 5.25–7.25
// Stage 0 waits 2–4.5 (message 4.25–4.5) and 6.5–7.5 (message 7.25–7.5): bubble 2.25 + 0.75.
TEST_P(EachEngine, PlaysTwoStagesOneForwardOneBackward) {
    SmallGraph made;
    made.pipeline(ScheduleKind::one_f_one_b, 2, 2);
    made.program(made.pass(1), made.pass(2));
    const Result result = play(made.finish(0.25, 0, 0.5));
    EXPECT_EQ(result.iteration_time, 10.0);
    EXPECT_EQ(result.last_stage, 0U);
    EXPECT_EQ(last_stage(result).compute[static_cast<std::size_t>(graph::OpClass::gemm)], 6.0);
    EXPECT_EQ(last_stage(result).message, 0.5);
    EXPECT_EQ(exposed(result, MeshAxis::data), 0.5);  // the barrier
    EXPECT_EQ(last_stage(result).bubble, 3.0);
    EXPECT_EQ(last_stage(result).sum(), 10.0);
}

// The same where half of each message holds its sender:
//   stage 0: F0 0–1, held –1.125, F1 –2.125, held –2.25,   B0 4.5–6.5, B1 7.625–9.625
//   stage 1: F0 1.25–2.25, B0 –4.25, held –4.375, F1 –5.375, B1 –7.375, held –7.5
TEST_P(EachEngine, LetsMessagesHoldTheirSender) {
    SmallGraph made;
    made.pipeline(ScheduleKind::one_f_one_b, 2, 2);
    made.program(made.pass(1), made.pass(2));
    const Result result = play(made.finish(0.25, 0.125));
    EXPECT_EQ(result.iteration_time, 9.625);
    EXPECT_EQ(last_stage(result).message, 0.25 + 0.25 + 0.25);
    EXPECT_EQ(last_stage(result).bubble, 2.0 + 0.875);
}

// Three layers; a kernel of 1 needs what was gathered, in 2, one layer before:
//   gathers 0–2, 2–4, 4–6; kernels 0–1, 2–3, 4–5; then a kernel of the backward pass 5–6.
TEST_P(EachEngine, WaitsForPrefetchedParameters) {
    SmallGraph made{2};
    const graph::RegionId layer =
        made.region(2,
                    {SmallGraph::node(made.collective(MeshAxis::data, 2), {ValueRef::port(0)}, 1),
                     SmallGraph::node(made.kernel(1), {ValueRef::port(0), ValueRef::port(1)})},
                    {ValueRef::item(1), ValueRef::item(0)});
    const graph::RegionId forward = made.region(
        1, {SmallGraph::repeat(layer, 0, {ValueRef::port(0), ValueRef::none()})}, {ValueRef::item(0)});
    made.program(forward, made.pass(1), {3});
    made.finish();
    EXPECT_EQ(play(made).iteration_time, 6.0);
    EXPECT_EQ(exposed(play(made), MeshAxis::data), 2.0);

    // n layers: kernels end at 2n − 1, gathers at 2n.
    made.graph.programs[0].counts = {400};
    EXPECT_EQ(play(made).iteration_time, 800.0);
    EXPECT_EQ(exposed(play(made), MeshAxis::data), 399.0);
}

// The compute stream is done at 5; the last gather ran from 4 to 6.
TEST_P(EachEngine, ChargesTheWaitForTheBarrier) {
    SmallGraph made{2};
    const graph::RegionId forward = made.region(
        1,
        {SmallGraph::node(made.collective(MeshAxis::context, 4), {}, 1),
         SmallGraph::node(made.collective(MeshAxis::data, 2), {}, 1), SmallGraph::node(made.kernel(5))},
        {ValueRef::item(2)});
    made.program(forward, made.region(1, {}, {ValueRef::none()}));
    const Result result = play(made.finish());
    EXPECT_EQ(result.iteration_time, 6.0);
    EXPECT_EQ(exposed(result, MeshAxis::data), 1.0);
    EXPECT_EQ(exposed(result, MeshAxis::context), 0.0);
}

// Stage 1 gathers what came in before it computes: message 1.5–1.75, gather –2.25, kernel –3.25, backward
// –4.25, and its finish 10 more. Its first wait, 0–2.25, is bubble, message and gather.
TEST_P(EachEngine, FollowsWhoWaitedForWhom) {
    SmallGraph made{2};
    made.pipeline(ScheduleKind::one_f_one_b, 2, 1);
    const graph::RegionId forward =
        made.region(1,
                    {SmallGraph::node(made.collective(MeshAxis::tensor, 0.5), {ValueRef::port(0)}, 1),
                     SmallGraph::node(made.kernel(1), {ValueRef::item(0)})},
                    {ValueRef::item(1)});
    const graph::RegionId backward = made.pass(1);
    made.program(forward, backward);
    made.program(forward, backward).finish = made.region(0, {SmallGraph::node(made.kernel(10))}, {});
    made.graph.program_of = {0, 1};
    const Result result = play(made.finish(0.25));
    EXPECT_EQ(result.last_stage, 1U);
    EXPECT_EQ(result.iteration_time, 14.25);
    EXPECT_EQ(last_stage(result).compute_time(), 12.0);
    EXPECT_EQ(exposed(result, MeshAxis::tensor), 0.5);
    EXPECT_EQ(last_stage(result).message, 0.25);
    EXPECT_EQ(last_stage(result).bubble, 1.5);
}

// A collective of 4 that holds the compute stream for 1 and is there after 2: kernels 0–1, held 1–2, kernel
// 2–3, and the one that needs it 3–4. A copy of 3 beside them is waited for until 6 by the backward pass.
TEST_P(EachEngine, HoldsAndShowsValuesEarly) {
    SmallGraph made{3};
    const graph::RegionId forward =
        made.region(1,
                    {SmallGraph::node(made.kernel(1)),
                     SmallGraph::node(made.collective(MeshAxis::tensor, {4, 2, 1}), {ValueRef::item(0)}, 1),
                     SmallGraph::node(made.kernel(1)), SmallGraph::node(made.kernel(1), {ValueRef::item(1)}),
                     SmallGraph::node(made.copy(3), {ValueRef::item(2)}, 2)},
                    {ValueRef::item(3), ValueRef::item(4)});
    const graph::RegionId backward =
        made.region(2, {SmallGraph::node(made.kernel(1), {ValueRef::port(1)})}, {ValueRef::item(0)});
    made.program(forward, backward);
    const Result result = play(made.finish());
    EXPECT_EQ(result.iteration_time, 7.0);
    EXPECT_EQ(last_stage(result).compute_time(), 4.0);
    EXPECT_EQ(exposed(result, MeshAxis::tensor), 1.0);
    EXPECT_EQ(last_stage(result).idle, 2.0);  // 4–6, for the copy
}

// Two reductions of 4, each behind a kernel of 1, and beside a kernel of 6. Kernels lose 1 to each:
//   compute:    kernel 0–1, lost 1–2, kernel 2–3, lost 3–4, kernel 4–10
//   reductions: 1–5, 5–9
// If the second one had held the compute stream, the last kernel would have run from 6 to 12.
TEST_P(EachEngine, LosesTimeWithoutWaitingForCollectivesThatQueue) {
    SmallGraph made{2};
    const NodeTime reduction{4, 4, 0, 1};
    const graph::RegionId forward =
        made.region(1,
                    {SmallGraph::node(made.kernel(1)),
                     SmallGraph::node(made.collective(MeshAxis::data, reduction), {ValueRef::item(0)}, 1),
                     SmallGraph::node(made.kernel(1)),
                     SmallGraph::node(made.collective(MeshAxis::replica, reduction), {ValueRef::item(2)}, 1),
                     SmallGraph::node(made.kernel(6))},
                    {ValueRef::item(4)});
    made.program(forward, made.region(1, {}, {ValueRef::none()}));
    const Result result = play(made.finish());
    EXPECT_EQ(result.iteration_time, 10.0);
    EXPECT_EQ(last_stage(result).compute_time(), 8.0);
    EXPECT_EQ(exposed(result, MeshAxis::data), 1.0);
    EXPECT_EQ(exposed(result, MeshAxis::replica), 1.0);
    // The path leads along the compute stream, through what is lost.
    EXPECT_EQ(result.parts->busy.compute_time(), 8.0);
    EXPECT_EQ(result.parts->busy.communication[graph::AxisSet{MeshAxis::data}.bits()], 1.0);
    EXPECT_EQ(result.parts->busy.communication[graph::AxisSet{MeshAxis::replica}.bits()], 1.0);
}

// Kernel 0–1, gather 1–9 to which 4 are lost, 1–5; the next kernel needs it: 9–10. Where it does not, it runs
// 5–6, and the iteration ends with the gather. Either way, the stream waits for the gather for the rest.
TEST_P(EachEngine, LosesMoreThanThereIsBeside) {
    for (const bool needs : {true, false}) {
        SmallGraph made{2};
        const graph::RegionId forward = made.region(
            1,
            {SmallGraph::node(made.kernel(1)),
             SmallGraph::node(made.collective(MeshAxis::data, {8, 8, 0, 4}), {ValueRef::item(0)}, 1),
             SmallGraph::node(made.kernel(1), {needs ? ValueRef::item(1) : ValueRef::none()})},
            {ValueRef::item(2)});
        made.program(forward, made.region(1, {}, {ValueRef::none()}));
        const Result result = play(made.finish());
        EXPECT_EQ(result.iteration_time, needs ? 10.0 : 9.0);
        EXPECT_EQ(exposed(result, MeshAxis::data), needs ? 8.0 : 7.0);
        EXPECT_EQ(result.parts->busy.communication[graph::AxisSet{MeshAxis::data}.bits()], 8.0);
    }
}

// A copy of 3 is the first of all; a kernel of 4 behind it starts when the 1 that it loses is over.
TEST_P(EachEngine, LosesTimeAtTheVeryBeginning) {
    SmallGraph made{2};
    const graph::WorkId copy = made.copy(3);
    made.durations.of_work[copy.index()].lost = 1;
    const graph::RegionId forward =
        made.region(1, {SmallGraph::node(copy, {}, 1), SmallGraph::node(made.kernel(4), {ValueRef::port(0)})},
                    {ValueRef::item(1)});
    made.program(forward, made.region(1, {}, {ValueRef::none()}));
    const Result result = play(made.finish());
    EXPECT_EQ(result.iteration_time, 5.0);
    EXPECT_EQ(last_stage(result).idle, 1.0);
    EXPECT_EQ(result.parts->busy.idle, 1.0);
}

// n layers of a kernel of 2 that needs what was gathered, in 2, one layer before. Each loses 0.5 to its
// gather: kernels end at 2.5 n, and the last gather 0.5 earlier. Then a kernel of the backward pass.
TEST_P(EachEngine, LosesTimeInEveryIterationOfARepeat) {
    SmallGraph made{2};
    const graph::RegionId layer = made.region(
        2,
        {SmallGraph::node(made.collective(MeshAxis::data, {2, 2, 0, 0.5}), {ValueRef::port(0)}, 1),
         SmallGraph::node(made.kernel(2), {ValueRef::port(0), ValueRef::port(1)})},
        {ValueRef::item(1), ValueRef::item(0)});
    const graph::RegionId forward = made.region(
        1, {SmallGraph::repeat(layer, 0, {ValueRef::port(0), ValueRef::none()})}, {ValueRef::item(0)});
    made.program(forward, made.pass(1), {400});
    const Result result = play(made.finish());
    EXPECT_EQ(result.iteration_time, 1001.0);
    EXPECT_EQ(exposed(result, MeshAxis::data), 200.0);
    EXPECT_EQ(result.parts->busy.communication[graph::AxisSet{MeshAxis::data}.bits()], 200.0);
}

// docs/theory/schedules.md with F = 1, B = 2 and messages at no cost: bubble (p − 1)(F + B), over v when
// interleaved.
TEST_P(EachEngine, FindsTheBubbleOfThePapers) {
    for (const std::uint32_t stages : {2U, 4U, 8U}) {
        for (const ScheduleKind kind :
             {ScheduleKind::gpipe, ScheduleKind::one_f_one_b, ScheduleKind::interleaved}) {
            const std::uint32_t chunks = kind == ScheduleKind::interleaved ? 4 : 1;
            SmallGraph made;
            made.pipeline(kind, stages, 32, chunks);
            made.program(made.pass(1.0 / chunks), made.pass(2.0 / chunks));
            const Result result = play(made.finish());
            EXPECT_EQ(last_stage(result).bubble, (stages - 1) * 3.0 / chunks);
            EXPECT_EQ(result.iteration_time, 96 + (stages - 1) * 3.0 / chunks);
        }
    }
}

// docs/theory/schedules.md: (p − 1)(F + B_in − W) of ZB-H1; its worked example for p = 8, m = 32: 7. ZB-V has
// none, but the last stage, whose iteration is the longest, begins (p − 1) forwards of a chunk late.
TEST_P(EachEngine, FindsTheBubbleOfZeroBubbleSchedules) {
    for (const std::uint32_t stages : {2U, 4U, 8U}) {
        for (const ScheduleKind kind : {ScheduleKind::zb_h1, ScheduleKind::zb_v}) {
            const std::uint32_t chunks = graph::chunks_of(kind, 1);
            SmallGraph made;
            made.pipeline(kind, stages, 32, chunks);
            made.program(made.pass(1), made.pass(1));
            made.split_and_join(made.pass(2), made.pass(1), 3);
            const Result result = play(made.finish());
            EXPECT_EQ(result.iteration_time, 96 * chunks + (stages - 1));
            EXPECT_EQ(last_stage(result).bubble, stages - 1);
        }
    }
}

// docs/theory/schedules.md: (p/2 − 1)(F&B + B − 3W) of DualPipe; its worked example for p = 8, m = 32: 6.
TEST_P(EachEngine, FindsTheBubbleOfOverlappedPasses) {
    for (const std::uint32_t stages : {2U, 4U, 8U}) {
        SmallGraph made;
        made.pipeline(ScheduleKind::dualpipe, stages, 32, 2);
        made.program(made.pass(1), made.pass(1));
        made.split_and_join(made.pass(2), made.pass(1), 3);
        const Result result = play(made.finish());
        EXPECT_EQ(result.iteration_time, 96 + 2 * (stages / 2 - 1));
        EXPECT_EQ(last_stage(result).bubble, 2 * (stages / 2 - 1));
    }
}

// docs/theory/memory.md: stage i of 1F1B keeps min(m, p − i) microbatches, GPipe m.
TEST_P(EachEngine, CountsMicrobatchesInFlight) {
    for (const std::uint32_t microbatches : {2U, 4U, 9U}) {
        for (const ScheduleKind kind : {ScheduleKind::gpipe, ScheduleKind::one_f_one_b}) {
            SmallGraph made;
            made.pipeline(kind, 4, microbatches);
            const graph::RegionId forward = made.pass(1);
            const graph::RegionId backward = made.pass(2);
            const graph::BufferId saved = made.buffer(graph::MemoryKind::activations, 100);
            made.graph.regions[forward.index()].items[0].allocates = {saved};
            made.graph.regions[backward.index()].items[0].frees = {saved};
            made.program(forward, backward).resident = {made.buffer(graph::MemoryKind::parameters, 7)};
            const MemoryPeak peak = peak_memory(made.finish());
            const double live = kind == ScheduleKind::gpipe ? microbatches : std::min(microbatches, 4U);
            EXPECT_EQ(peak.stage, 0U);
            EXPECT_EQ(peak.total, 7 + 100 * live);
            EXPECT_EQ(peak.by_kind[static_cast<std::size_t>(graph::MemoryKind::activations)], 100 * live);
        }
    }
}

// One stage, two chunks: forwards 1 each, handed over at no cost, backwards 2 each.
TEST_P(EachEngine, HandsOverBetweenChunksOfOneStage) {
    SmallGraph made;
    made.graph.schedule = {1,
                           2,
                           1,
                           {{{graph::Pass::forward, 0, 0},
                             {graph::Pass::forward, 1, 0},
                             {graph::Pass::backward, 1, 0},
                             {graph::Pass::backward, 0, 0}}},
                           {}};
    made.program(made.pass(1), made.pass(2));
    EXPECT_EQ(play(made.finish()).iteration_time, 6.0);
}

TEST_P(EachEngine, NamesWhoDeadlocks) {
    SmallGraph made;
    made.pipeline(ScheduleKind::gpipe, 2, 2);
    made.program(made.pass(1), made.pass(2));
    made.finish();
    std::swap(made.graph.schedule.tasks[1][0], made.graph.schedule.tasks[1][1]);
    try {
        play(made);
        FAIL() << "no deadlock";
    } catch (const ModelError& error) {
        EXPECT_NE(std::string{error.what()}.find("deadlock"), std::string::npos) << error.what();
        EXPECT_NE(std::string{error.what()}.find("stage 1"), std::string::npos) << error.what();
    }
}

TEST_P(EachEngine, RefusesWhatIsTooLongToBeExact) {
    SmallGraph made;
    made.program(
        made.region(1, {SmallGraph::repeat(made.region(0, {SmallGraph::node(made.kernel(8192))}, {}), 0)},
                    {ValueRef::none()}),
        made.pass(1), {1});
    EXPECT_THROW(play(made.finish()), ModelError);
}

// Two thousand million kernels of a millionth of a second: 1,907 s.
TEST(Engines, LoopsOfBillionsAreOnlyCounted) {
    SmallGraph made;
    made.program(
        made.region(1, {SmallGraph::repeat(made.region(0, {SmallGraph::node(made.kernel(0x1p-20))}, {}), 0)},
                    {ValueRef::none()}),
        made.pass(1), {2'000'000'000});
    made.finish();
    EXPECT_NEAR(engines().find("folded")()->play(made.graph, made.durations).iteration_time,
                2e9 * 0x1p-20 + 1, 1e-6);
    const auto event = engines().find("event")();
    EXPECT_THROW((void)event->peak_memory(made.graph), ModelError);
    try {
        (void)event->play(made.graph, made.durations);
        FAIL() << "played";
    } catch (const ModelError& error) {
        EXPECT_NE(std::string{error.what()}.find("loops run too often"), std::string::npos) << error.what();
    }
}

TEST(ToSeconds, TurnsAllTimesOfAResult) {
    Result result;
    result.iteration_time = 8.0;
    result.node_visits = 5;
    result.stages.emplace_back();
    result.stages[0].compute[0] = 4.0;
    const Cause gather = Cause::communication(graph::MeshAxis::tensor);
    result.stages[0].charge(gather, 2.0);
    result.stages[0].bubble = 1.0;
    result.stages[0].idle = 1.0;
    result.parts.emplace();
    result.parts->busy.compute[0] = 6.0;
    result.parts->bubble.idle = 2.0;
    to_seconds(result, 0.5);
    EXPECT_EQ(result.parts->busy.compute[0], 3.0);
    EXPECT_EQ(result.parts->bubble.idle, 1.0);
    EXPECT_EQ(result.parts->sum(), 4.0);
    EXPECT_EQ(result.iteration_time, 4.0);
    EXPECT_EQ(result.stages[0].compute[0], 2.0);
    EXPECT_EQ(result.stages[0].communication[gather.index()], 1.0);
    EXPECT_EQ(result.stages[0].sum(), result.iteration_time);
    EXPECT_EQ(result.node_visits, 5U);
}

}  // namespace
}  // namespace dse::sim
