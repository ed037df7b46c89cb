#include "eval/stages/step.hpp"

#include "dse/base/check.hpp"

namespace dse::eval {
namespace {

/// The last steps of a loop, as the difference of playing it in full and until it is steady.
sim::Result steady_step(const sim::Result& full, const sim::Result& until_steady) {
    DSE_ENSURE(full.limiting_stage == until_steady.limiting_stage);
    constexpr double share = 1.0 / graph::decode_steps;
    sim::Result step = full;
    step.iteration_time = (full.iteration_time - until_steady.iteration_time) * share;
    step.parts = {};
    step.parts.add(full.parts, share);
    step.parts.add(until_steady.parts, -share);
    step.node_visits += until_steady.node_visits;
    step.task_visits += until_steady.task_visits;
    return step;
}

}  // namespace

sim::Result play_step(const Job& job, const sim::Durations& durations, Stages& stages) {
    const auto play = [&](std::uint32_t steps) {
        return stages.play(job, stages.cost.played(job, stages.build(job, steps)), durations);
    };
    if (job.layout.steps == 1) return play(1);
    const sim::Result until_steady = play(graph::decode_steps);
    return steady_step(play(2 * graph::decode_steps), until_steady);
}

}  // namespace dse::eval
