#pragma once

#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

#include "dse/graph/graph.hpp"
#include "dse/sim/fold/region_operators.hpp"
#include "dse/sim/fold/region_table.hpp"
#include "dse/sim/fold/schedule_player.hpp"
#include "dse/sim/fold/schedule_program.hpp"
#include "dse/sim/fold/schedule_programs.hpp"
#include "dse/sim/fold/task_log.hpp"

namespace dse::test {

/// Which tasks of a schedule are simulated one by one.
enum class Tasks : std::uint8_t {
    all,
    some,  ///< those that a jump does not skip
};

/// A schedule simulated as engine `folded` does it, and the state that this leaves behind.
/// \tparam Jump  sim::fold::PeriodJump or RunJump
template <class Jump>
struct PlayedSchedule {
    /// \throws ModelError if the schedule deadlocks
    PlayedSchedule(const graph::Graph& graph, const sim::Durations& durations, Tasks tasks,
                   sim::fold::TaskLog* log = nullptr) {
        table.reset(graph);
        regions.reset(graph, {&durations}, table);
        const sim::fold::Sending sending = sim::fold::sending_of(graph);
        if (tasks == Tasks::some) {
            graph::PipelineSchedule known = graph.schedule;
            known.identity = 1;  // of the only schedule in this cache; without one, all rounds are listed
            program = sim::fold::SchedulePrograms{}.of(known, durations, sending);
        } else {
            program.compile(graph.schedule, durations, sending);
        }
        player.reset(graph, durations, program, regions, table, log);
        std::size_t begin = 0;
        if (tasks == Tasks::some) {
            begin = program.before_last_passes();
            jump.run(player, begin);
        }
        player.play(begin, program.steps().size());
        player.finish();
    }
    // The player keeps references to the other members.
    PlayedSchedule(const PlayedSchedule&) = delete;
    PlayedSchedule& operator=(const PlayedSchedule&) = delete;
    ~PlayedSchedule() = default;

    sim::fold::RegionTable table;
    sim::fold::RegionOperators regions;
    sim::fold::ScheduleProgram program;
    sim::fold::SchedulePlayer player;
    Jump jump;
};

/// Expects each stage to end with the same times on all of its streams.
template <class Jump>
void expect_same_streams(const graph::Graph& graph, const PlayedSchedule<Jump>& some,
                         const PlayedSchedule<Jump>& all) {
    for (std::uint32_t stage = 0; stage < graph.schedule.stages; ++stage) {
        ASSERT_EQ(some.player.last_stream(stage), all.player.last_stream(stage)) << "stage " << stage;
        for (std::size_t s = 0; s < graph.streams.size(); ++s) {
            ASSERT_EQ(some.player.state().streams(stage)[s], all.player.state().streams(stage)[s])
                << "stage " << stage << ", stream " << s;
        }
    }
}

}  // namespace dse::test
