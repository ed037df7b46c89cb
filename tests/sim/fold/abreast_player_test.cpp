// Also tests: fold/abreast.cpp, fold/abreast_beginnings.cpp, fold/abreast_steps.cpp, fold/abreast_rounds.cpp
// Also tests: fold/abreast_state.cpp, fold/abreast_log.cpp, fold/played_abreast.cpp
#include "dse/sim/fold/abreast_player.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "dse/sim/fold/folded_engine.hpp"
#include "dse/sim/fold/schedule_player.hpp"
#include "support/layer_graph.hpp"
#include "support/random_graph.hpp"

namespace dse::sim::fold {
namespace {

/// The same with some times twice as long. No hold comes or goes: messages hold the same senders. Beside some
/// of what takes longer, kernels lose nothing.
Durations with_some_doubled(Durations durations, std::uint64_t seed) {
    std::mt19937_64 random{seed};
    const auto factor = [&random] { return random() % 2 == 0 ? 2.0 : 1.0; };
    std::size_t work = 0;
    for (NodeTime& time : durations.of_work) {
        const double by = factor();
        const bool loses = by == 1.0 || ++work % 3 != 0;
        time = {by * time.duration, by * time.visible, by * time.hold, loses ? by * time.lost : 0.0};
    }
    for (auto* messages : {&durations.forward, &durations.backward}) {
        for (TransferTime& time : *messages) {
            const double by = factor();
            time = {by * time.duration, by * time.hold};
        }
    }
    durations.barrier *= factor();
    return durations;
}

/// \return how many were played abreast
std::size_t expect_each_as_by_itself(const graph::Graph& graph, const Durations& durations, std::size_t count,
                                     FoldedEngine& engine, Asked::For what = Asked::For::time) {
    std::vector<Durations> all{durations};
    while (all.size() < count) all.push_back(with_some_doubled(durations, all.size()));
    std::vector<const Durations*> pointers;
    for (const Durations& each : all) pointers.push_back(&each);
    const std::vector<std::optional<Result>> results = engine.play_abreast(graph, pointers, {what});
    EXPECT_EQ(results.size(), count);
    std::size_t played = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i]) continue;
        ++played;
        const Result alone = FoldedEngine{}.play(graph, all[i], {what});
        EXPECT_EQ(results[i]->iteration_time, alone.iteration_time) << i;
        EXPECT_EQ(results[i]->last_stage, alone.last_stage) << i;
        EXPECT_EQ(results[i]->parts, alone.parts) << i;
        EXPECT_EQ(results[i]->parts.has_value(), what == Asked::For::path);
    }
    return played;
}

std::size_t expect_each_as_by_itself(const graph::Graph& graph, const Durations& durations,
                                     std::size_t count) {
    FoldedEngine engine;
    return expect_each_as_by_itself(graph, durations, count, engine);
}

TEST(AbreastPlayer, PlaysRandomGraphsAsEachIsPlayedByItself) {
    std::size_t played = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        SCOPED_TRACE(seed);
        test::TimedGraph made = test::RandomGraph{seed, {}}.make();
        made.graph.schedule.identity = 1;
        played += expect_each_as_by_itself(made.graph, made.durations, 2 + seed % 5);
    }
    EXPECT_GT(played, 300U) << "most of some 600";
}

/// One engine for all, which keeps operators and paths from one graph to the next.
TEST(AbreastPlayer, FollowsPathsAsOfEachByItself) {
    FoldedEngine engine;
    std::size_t played = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        test::TimedGraph made = test::RandomGraph{seed, {6, 3, 40, 4, 5, 1}}.make();
        made.graph.schedule.identity = seed + 1;
        for (auto* messages : {&made.durations.forward, &made.durations.backward}) {
            for (TransferTime& time : *messages) time.hold = 0;
        }
        played +=
            expect_each_as_by_itself(made.graph, made.durations, 2 + seed % 5, engine, Asked::For::path);
    }
    EXPECT_GT(played, 200U);
    for (const auto kind : {graph::ScheduleKind::gpipe, graph::ScheduleKind::one_f_one_b,
                            graph::ScheduleKind::interleaved, graph::ScheduleKind::zb_v}) {
        const std::uint32_t chunks =
            kind == graph::ScheduleKind::interleaved || kind == graph::ScheduleKind::zb_v ? 2 : 1;
        for (const std::uint32_t microbatches : {4U, 24U, 160U}) {
            const test::LayerGraph made{{4, microbatches, 3, 1, kind, chunks}};
            played += expect_each_as_by_itself(made.graph, made.durations, 6, engine, Asked::For::path);
        }
    }
    EXPECT_GT(played, 200U + 40U);
}

/// Operators of kernels and of collectives may be alike; what the path is charged to is not.
TEST(AbreastPlayer, TellsPathsThroughLikeOperatorsApart) {
    FoldedEngine engine;
    graph::Collective tensor;
    tensor.axes = graph::AxisSet{graph::MeshAxis::tensor};
    for (const bool is_collective : {false, true}) {
        test::LayerGraph made{{2, 8, 3}};
        for (graph::Work& work : made.graph.works) {
            if (is_collective && std::holds_alternative<graph::Compute>(work)) work = tensor;
        }
        EXPECT_EQ(expect_each_as_by_itself(made.graph, made.durations, 4, engine, Asked::For::path), 4U);
    }
}

TEST(AbreastPlayer, PlaysPairsOfTasksAndStagesThatMeet) {
    for (const auto kind : {graph::ScheduleKind::dualpipe, graph::ScheduleKind::zb_v}) {
        const test::LayerGraph made{{4, 12, 3, 1, kind, 2}};
        EXPECT_EQ(expect_each_as_by_itself(made.graph, made.durations, 6), 6U);
    }
}

TEST(AbreastPlayer, LeavesLongSteadyPhasesAndUnknownSchedulesToOneAtATime) {
    test::LayerGraph longer{{4, 2000, 3}};
    EXPECT_EQ(expect_each_as_by_itself(longer.graph, longer.durations, 4), 0U);
    test::LayerGraph unknown{{4, 8, 3}};
    EXPECT_EQ(expect_each_as_by_itself(unknown.graph, unknown.durations, 4), 4U);
    unknown.graph.schedule.identity = 0;
    EXPECT_EQ(expect_each_as_by_itself(unknown.graph, unknown.durations, 4), 0U);
}

/// A graph on which one evaluation holds senders that another does not is two schedules.
TEST(AbreastPlayer, LeavesDurationsOfTwoSchedulesToOneAtATime) {
    const test::LayerGraph made{{4, 8, 3}};
    Durations holding = made.durations;
    for (TransferTime& time : holding.forward) time.hold = time.duration;
    ASSERT_GT(holding.forward.front().hold, 0.0);
    FoldedEngine engine;
    const std::array<const Durations*, 2> both{&made.durations, &holding};
    for (const auto& result : engine.play_abreast(made.graph, both, {Asked::For::time})) EXPECT_FALSE(result);
}

/// Each of them differs from those before in some works alone, at times only in such as follow the last
/// backward pass: as layouts do that differ in ZeRO or in the precision of gradients.
TEST(AbreastPlayer, GoesOnFromWhereAnEarlierOneWas) {
    for (const auto kind : {graph::ScheduleKind::one_f_one_b, graph::ScheduleKind::interleaved}) {
        const std::uint32_t chunks = kind == graph::ScheduleKind::interleaved ? 2 : 1;
        const test::LayerGraph made{{4, 24, 3, 1, kind, chunks}};
        FoldedEngine engine;
        std::vector<double> times;
        for (std::size_t work = 0; work < made.durations.of_work.size(); ++work) {
            std::vector<Durations> both(2, made.durations);
            both[0].of_work[work].duration += 1.0;
            both[1].of_work[work].duration += 2.0;
            for (Durations& each : both)
                each.of_work[work].visible = std::min(each.of_work[work].visible, 0.5);
            const std::array<const Durations*, 2> pointers{&both[0], &both[1]};
            const auto results = engine.play_abreast(made.graph, pointers, {Asked::For::time});
            for (std::size_t i = 0; i < both.size(); ++i) {
                ASSERT_TRUE(results[i]);
                const Result alone = FoldedEngine{}.play(made.graph, both[i], {Asked::For::time});
                EXPECT_EQ(results[i]->iteration_time, alone.iteration_time) << "work " << work;
                times.push_back(alone.iteration_time);
            }
        }
        EXPECT_GT(std::set(times.begin(), times.end()).size(), 6U);
    }
}

/// Simulates a graph with one player, which keeps what it knows.
class Plays {
  public:
    explicit Plays(const graph::Graph& graph, const Durations& durations) : graph_{graph} {
        table_.reset(graph);
        program_.compile(graph.schedule, durations, sending_of(graph));
        steps_.read(program_, graph.schedule);
    }

    /// \return number of steps that were simulated, after all stages were compared with those of a simulation
    ///         of every step
    std::size_t play(const AbreastOperators::AllDurations& all) {
        operators_.reset(graph_, all, table_);
        player_.reset(graph_, program_, 1, steps_, table_);
        player_.set(all, operators_);
        player_.play();
        for (std::size_t which = 0; which < abreast; ++which) {
            RegionOperators regions;
            regions.reset(graph_, {all[which]}, table_);
            SchedulePlayer every_step;
            every_step.reset(graph_, *all[which], program_, regions, table_, nullptr);
            every_step.play(0, program_.steps().size());
            every_step.finish();
            for (std::uint32_t stage = 0; stage < graph_.schedule.stages; ++stage)
                EXPECT_EQ(player_.last_stream(stage, which), every_step.last_stream(stage)) << stage;
        }
        return player_.played_steps();
    }

    [[nodiscard]] std::size_t steps() const { return program_.steps().size(); }
    [[nodiscard]] std::size_t last_passes() const {
        return program_.steps().size() - program_.before_last_passes();
    }

  private:
    const graph::Graph& graph_;
    RegionTable table_;
    ScheduleProgram program_;
    AbreastSteps steps_;
    AbreastOperators operators_;
    AbreastPlayer player_;
};

/// A kernel before everything else on each stage, which delays all of it by its time.
void start_later(const graph::Graph& graph, Durations& durations, double by) {
    for (const graph::StageProgram& program : graph.programs) {
        for (const graph::Item& item : graph.regions[program.update.index()].items) {
            if (item.kind == graph::Item::Kind::node && item.stream == graph::compute_stream)
                durations.of_work[item.work.index()] = {by, by, 0};
        }
    }
}

/// An interleaved schedule settles after a few turns, of 40.
TEST(AbreastPlayer, LeavesOutRoundsThatShiftEverythingAlike) {
    const test::LayerGraph made{{4, 160, 3, 1, graph::ScheduleKind::interleaved, 2}};
    Plays plays{made.graph, made.durations};
    const Durations& one = made.durations;
    Durations other = one;
    for (NodeTime& time : other.of_work)
        time = {2 * time.duration, 2 * time.visible, 2 * time.hold, 2 * time.lost};
    EXPECT_LT(plays.play({&one, &other, &one, &other}), plays.steps() / 5);
}

/// The second simulation runs until what it started with no longer matters, and the last passes.
TEST(AbreastPlayer, EndsAsAnEarlierOneThatStartedAtAnotherTime) {
    const test::LayerGraph made{{4, 24, 3, 1, graph::ScheduleKind::interleaved, 2}};
    Plays plays{made.graph, made.durations};
    Durations later_start = made.durations;
    start_later(made.graph, later_start, 0.75);
    const Durations& first = made.durations;
    const std::size_t all = plays.play({&first, &first, &first, &first});
    EXPECT_GT(all, plays.last_passes());
    EXPECT_LT(plays.play({&later_start, &first, &later_start, &first}), plays.last_passes() + all / 4);
    EXPECT_EQ(plays.play({&first, &first, &first, &first}), plays.last_passes()) << "from the start on";
    Durations longer = made.durations;
    for (NodeTime& time : longer.of_work) time.duration += 0.25;
    EXPECT_GT(plays.play({&longer, &first, &later_start, &first}), plays.last_passes() + all / 4);
}

/// Long schedules, uneven stages, holds, ties; each is simulated again with other times of what runs once.
TEST(AbreastPlayer, LeavesOutStepsOfRandomSchedulesAndChangesNothing) {
    std::size_t fewer = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        const test::TimedGraph made = test::RandomGraph{seed, {6, 3, 90, 4, 5, 1}}.make();
        Plays plays{made.graph, made.durations};
        std::mt19937_64 random{seed};
        std::vector<Durations> each(abreast, made.durations);
        for (int again = 0; again < 3; ++again) {
            const std::size_t played = plays.play({&each[0], &each[1], &each[2], &each[3]});
            fewer += played < plays.steps() ? 1 : 0;
            Durations& changed = each[random() % abreast];
            if (again == 0) start_later(made.graph, changed, static_cast<double>(random() % 8) / 4);
            if (again == 1) {
                NodeTime& time = changed.of_work[random() % changed.of_work.size()];
                time = {time.duration + 0.5, time.visible, time.hold, time.lost};
            }
        }
    }
    EXPECT_GT(fewer, 200U);
}

TEST(AbreastBeginnings, KeepTheLatestOnes) {
    AbreastBeginnings beginnings;
    EXPECT_EQ(beginnings.find({}), nullptr);
    beginnings.add({1, 2}) = {3};
    beginnings.add({1, 4}) = {5};
    ASSERT_NE(beginnings.find({1, 2}), nullptr);
    EXPECT_EQ(*beginnings.find({1, 2}), std::vector<double>{3});
    EXPECT_EQ(beginnings.find({1}), nullptr);
    for (double other = 10; other < 21; ++other) beginnings.add({other}) = {other};
    EXPECT_NE(beginnings.find({1, 2}), nullptr) << "used after the other one";
    EXPECT_EQ(beginnings.find({1, 4}), nullptr);
}

/// Of 1F1B, stage i waits for the backwards of at most 4 − i microbatches: 10 in all, of 1,000 and more.
TEST(AbreastSteps, GivePlacesThatNobodyNeedsAnyMoreToOthers) {
    const test::LayerGraph made{{4, 1000, 3}};
    ScheduleProgram program;
    program.compile(made.graph.schedule, made.durations);
    AbreastSteps steps;
    steps.read(program, made.graph.schedule);
    EXPECT_EQ(steps.steps().size(), program.steps().size());
    EXPECT_LE(steps.passes(), 10U);
    EXPECT_LE(steps.messages(), 2U + 16U);
    // The last stage is the first one to run its last backward pass, right after the last forward pass.
    const AbreastStep& last = steps.steps()[steps.before_last_passes()];
    EXPECT_EQ(last.stage, 3U);
    EXPECT_EQ(last.variant, 3U);
    const auto before = steps.steps().first(steps.before_last_passes());
    const auto forwards = std::count_if(before.begin(), before.end(), [](const AbreastStep& step) {
        return step.kind == Step::Kind::task && step.variant < 2;
    });
    EXPECT_EQ(forwards, 4 * 1000);
    steps.read(program, made.graph.schedule);
    EXPECT_LE(steps.passes(), 10U) << "again";
}

TEST(ApplyAbreast, IsTheMaximumOfSums) {
    // One output of two inputs: 1 + 10 beside 0 + 12, 1 + 10, 2 + 10 and what is absent.
    const std::vector<double> numbers{1, 1, 1, 1, 0, 1, 2, absent};
    const std::vector<double> in{10, 10, 10, 10, 12, 10, 10, 10};
    std::vector<double> out(abreast);
    apply_abreast(numbers.data(), 2, 1, in.data(), out.data());
    EXPECT_EQ(out, (std::vector<double>{12, 11, 12, 11}));
}

/// With two streams, a boundary value, and as many saved values as there are left.
TEST(ApplyTaskAbreast, IsApplyAbreastInPlace) {
    for (std::size_t inputs = 3; inputs <= 9; ++inputs) {
        const std::size_t outputs = inputs + 1;
        std::vector<double> numbers(inputs * outputs * abreast);
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = i % 7 == 0 ? absent : static_cast<double>(i % 11);
        std::vector<double> in(inputs * abreast);
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<double>(i * i % 13);
        std::vector<double> expected(outputs * abreast);
        apply_abreast(numbers.data(), inputs, outputs, in.data(), expected.data());

        const auto part = [&in](std::size_t begin, std::size_t end) {
            return std::vector<double>(in.data() + begin * abreast, in.data() + end * abreast);
        };
        std::vector<double> streams = part(0, 2);
        const std::vector<double> boundary = part(2, 3);
        std::vector<double> saved = part(3, inputs);
        saved.resize(inputs * abreast);
        std::vector<double> out(abreast);
        const bool done = apply_task_abreast(numbers.data(), {streams.data(), 2, boundary.data(), out.data(),
                                                              saved.data(), inputs - 3, outputs - 3});
        ASSERT_EQ(done, inputs <= 8) << "there is no room for more";
        if (!done) continue;
        streams.insert(streams.end(), out.begin(), out.end());
        streams.insert(streams.end(), saved.data(), saved.data() + (outputs - 3) * abreast);
        EXPECT_EQ(streams, expected) << inputs << " inputs";
    }
}

/// Free at 1, 5 and 2: the message starts at 5, takes 3 and holds its sender for 2.
TEST(SendAbreast, WaitsForTheValueAndBothQueues) {
    std::vector<double> send(abreast, 1);
    std::vector<double> receive(abreast, 5);
    std::vector<double> value(abreast, 2);
    std::vector<double> compute{4, 6, 7, 8};
    const std::vector<double> duration(abreast, 3);
    const std::vector<double> hold(abreast, 2);
    send_abreast(send.data(), receive.data(), value.data(), compute.data(), duration.data(), hold.data());
    for (const auto& free : {send, receive, value}) EXPECT_EQ(free, std::vector<double>(abreast, 8));
    EXPECT_EQ(compute, (std::vector<double>{7, 7, 7, 8}));
}

}  // namespace
}  // namespace dse::sim::fold
