#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "dse/graph/graph.hpp"

namespace dse::test {

/// What the passes of one chunk take; messages cost nothing.
struct PassTimes {
    double forward{1};
    double backward{1};  ///< gradients of the inputs
    double weight{1};

    [[nodiscard]] double of(const graph::Task& task, const graph::PipelineSchedule& schedule) const {
        if (task.pass == graph::Pass::forward) return forward;
        if (task.pass == graph::Pass::weight) return weight;
        const bool split = schedule.splits_backward && task.form != graph::Form::whole;
        return split ? backward : backward + weight;
    }
};

/// When a stage plays its tasks.
struct StageTime {
    double begin{0};
    double end{0};
    double busy{0};
    [[nodiscard]] double idle() const { return end - begin - busy; }
};

/// Plays the tasks of all stages, each as soon as its input is there. Of tasks that are played together
/// neither hands anything on before both are over, as the papers count. Independent of the engines.
inline std::vector<StageTime> play_schedule(const graph::PipelineSchedule& schedule, const PassTimes& times) {
    using graph::Pass;
    using Key = std::tuple<std::uint32_t, Pass, std::uint16_t, std::uint32_t>;
    std::map<Key, double> end;
    std::vector<std::size_t> next(schedule.stages, 0);
    std::vector<StageTime> stages(schedule.stages);
    for (bool moved = true; moved;) {
        moved = false;
        for (std::uint32_t stage = 0; stage < schedule.stages; ++stage) {
            const std::vector<graph::Task>& tasks = schedule.tasks[stage];
            if (next[stage] == tasks.size()) continue;
            const graph::Task* const first = tasks.data() + next[stage];
            const std::size_t count = graph::played_together(*first);
            double ready = stages[stage].end;
            double busy = 0;
            bool waits = false;
            for (std::size_t k = 0; k < count; ++k) {
                busy += times.of(first[k], schedule);
                const graph::Peer from = graph::source_of(first[k], stage, schedule);
                if (from.kind == graph::Peer::Kind::none) continue;
                const auto found =
                    end.find({from.stage, from.task.pass, from.task.chunk, from.task.microbatch});
                waits = waits || found == end.end();
                if (!waits) ready = std::max(ready, found->second);
            }
            if (waits) continue;
            StageTime& time = stages[stage];
            if (next[stage] == 0) time.begin = ready;
            time.busy += busy;
            time.end = ready + busy;
            for (std::size_t k = 0; k < count; ++k)
                end[{stage, first[k].pass, first[k].chunk, first[k].microbatch}] = time.end;
            next[stage] += count;
            moved = true;
        }
    }
    for (std::uint32_t stage = 0; stage < schedule.stages; ++stage) {
        EXPECT_EQ(next[stage], schedule.tasks[stage].size()) << "deadlock";
    }
    return stages;
}

/// Time until the last task of all stages ends.
inline double makespan(const graph::PipelineSchedule& schedule, const PassTimes& times) {
    double last = 0;
    for (const StageTime& stage : play_schedule(schedule, times)) last = std::max(last, stage.end);
    return last;
}

/// Most forwards of a stage whose last pass is still to come: what a forward keeps goes with it.
inline int most_in_flight(const graph::PipelineSchedule& schedule, std::uint32_t stage) {
    int live = 0;
    int most = 0;
    for (const graph::Task& task : schedule.tasks[stage]) {
        const bool split = schedule.splits_backward && task.form != graph::Form::whole;
        if (task.pass == graph::Pass::forward) ++live;
        most = std::max(most, live);
        if (task.pass == (split ? graph::Pass::weight : graph::Pass::backward)) --live;
    }
    return most;
}

}  // namespace dse::test
