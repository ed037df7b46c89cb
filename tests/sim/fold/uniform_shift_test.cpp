#include "sim/fold/uniform_shift.hpp"

#include <array>

#include <gtest/gtest.h>

#include "dse/sim/fold/max_plus.hpp"
#include "dse/sim/fold/period_jump.hpp"
#include "support/layer_graph.hpp"
#include "support/played_schedule.hpp"
#include "support/random_graph.hpp"

namespace dse::sim::fold {
namespace {

constexpr std::array<std::uint8_t, 3> all_moving{1, 1, 1};

TEST(UniformShift, IsWhatAllNumbersGrewBy) {
    EXPECT_EQ(uniform_shift(std::array{1.0, 2.0, absent}, std::array{1.5, 2.5, absent}, all_moving), 0.5);
    EXPECT_EQ(uniform_shift(std::array{1.0, 2.0, 3.0}, std::array{1.5, 2.5, 3.75}, all_moving), std::nullopt);
}

/// A wait that has not been there before makes another map of the round.
TEST(UniformShift, DoesNotTakeWhatAppearsOrVanishes) {
    EXPECT_EQ(uniform_shift(std::array{1.0, absent}, std::array{1.5, 0.5}, {}), std::nullopt);
    EXPECT_EQ(uniform_shift(std::array{1.0, 0.5}, std::array{1.5, absent}, {}), std::nullopt);
}

TEST(UniformShift, LeavesOutWhatRoundsDoNotRead) {
    constexpr std::array<std::uint8_t, 3> moving{1, 0, 1};
    EXPECT_EQ(uniform_shift(std::array{1.0, 7.0, 3.0}, std::array{1.5, 7.0, 3.5}, moving), 0.5);
    EXPECT_EQ(uniform_shift(std::array{1.0, 7.0, 3.0}, std::array{1.5, 7.0, 3.5}, all_moving), std::nullopt);
}

/// Number of jumps by one shift, after all streams were compared with those of a play of all rounds.
int shifts_of(const graph::Graph& graph, const Durations& durations) {
    using Played = test::PlayedSchedule<PeriodJump>;
    TaskLog all_log;
    const Played all{graph, durations, test::Tasks::all, &all_log};
    TaskLog some_log;
    const Played some{graph, durations, test::Tasks::some, &some_log};
    test::expect_same_streams(graph, some, all);
    const std::size_t streams = graph.streams.size();
    for (std::uint32_t stage = 0; stage < graph.schedule.stages; ++stage) {
        if (graph::overlaps_tasks(graph.schedule)) continue;  // pairs are logged as one task
        for (std::size_t position = 0; position <= graph.schedule.tasks[stage].size(); ++position) {
            std::vector<double> played(streams);
            std::vector<double> known(streams);
            all_log.read(all.program.steady(), {}, stage, position, played);
            some_log.read(some.program.steady(), some.jump.jumps(), stage, position, known);
            EXPECT_EQ(known, played) << "stage " << stage << ", task " << position;
        }
    }
    int shifts = 0;
    for (const Jump& one : some.jump.jumps()) shifts += one.shift ? 1 : 0;
    return shifts;
}

/// Kernels of uneven stages, ties, holds and messages on a queue of their own included.
TEST(UniformShift, LeavesOutRoundsOfRandomSchedulesAndChangesNothing) {
    int shifts = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        const test::TimedGraph made = test::RandomGraph{seed, {6, 3, 90, 4, 5, 1}}.make();
        shifts += shifts_of(made.graph, made.durations);
    }
    EXPECT_GT(shifts, 30);
}

/// The drain of the pipeline is as long as before; of the steady phase two rounds are simulated, whatever its
/// length.
TEST(UniformShift, CostsTheSameForMoreTurnsOfAnInterleavedSchedule) {
    const auto tasks_of = [](std::uint32_t microbatches) {
        const test::LayerGraph made{{8, microbatches, 2, 1, graph::ScheduleKind::interleaved, 4}};
        EXPECT_EQ(shifts_of(made.graph, made.durations), 1);
        using Played = test::PlayedSchedule<PeriodJump>;
        return Played{made.graph, made.durations, test::Tasks::some}.player.task_visits();
    };
    EXPECT_EQ(tasks_of(64), tasks_of(640));
}

}  // namespace
}  // namespace dse::sim::fold
