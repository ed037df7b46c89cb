#include "eval/stages/step.hpp"

#include "dse/base/check.hpp"

namespace dse::eval {
namespace {

/// One of the last steps of a loop: the difference of simulating the full loop and only the part until it is
/// steady.
/// \param full  full loop, with the path's parts since it is steady
sim::Result steady_step(const sim::Result& full, const sim::Result& until_steady) {
    DSE_ENSURE(full.last_stage == until_steady.last_stage);
    constexpr double share = 1.0 / graph::decode_steps;
    sim::Result step = full;
    step.iteration_time = (full.iteration_time - until_steady.iteration_time) * share;
    if (full.parts) {
        step.parts.emplace().busiest_stage = full.parts->busiest_stage;
        step.parts->busy.add(full.parts->busy, share);
        step.parts->bubble.add(full.parts->bubble, share);
    }
    for (std::size_t stage = 0; stage < full.stages.size(); ++stage) {
        step.stages[stage] = {};
        step.stages[stage].add(full.stages[stage], share);
        step.stages[stage].add(until_steady.stages[stage], -share);
    }
    step.node_visits += until_steady.node_visits;
    step.task_visits += until_steady.task_visits;
    return step;
}

}  // namespace

sim::Result play_step(const Job& job, const sim::Durations& durations, Stages& stages) {
    const auto play = [&](std::uint32_t steps, double parts_from) {
        return stages.play(job, stages.cost.played(job, stages.build(job, steps)), durations, parts_from);
    };
    if (job.layout.steps == 1) return play(1, 0.0);
    const sim::Result until_steady = play(graph::decode_steps, 0.0);
    return steady_step(play(2 * graph::decode_steps, until_steady.iteration_time), until_steady);
}

}  // namespace dse::eval
