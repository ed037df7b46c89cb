#include "dse/sim/fold/short_program.hpp"

#include "dse/base/error.hpp"
#include "round_inserter.hpp"

namespace dse::sim::fold {
namespace {

/// The schedule without its last `rounds` steady rounds: the same warm-up and end, with fewer microbatches.
graph::PipelineSchedule without_rounds(const graph::PipelineSchedule& schedule, std::uint32_t rounds) {
    const graph::SteadyPhase& steady = schedule.steady;
    graph::PipelineSchedule few;
    few.stages = schedule.stages;
    few.chunks = schedule.chunks;
    few.microbatches = schedule.microbatches - rounds * steady.microbatches_per_round;
    few.steady = steady;
    few.steady.rounds -= rounds;
    few.splits_backward = schedule.splits_backward;
    few.forward_only = schedule.forward_only;
    few.placement = schedule.placement;
    few.tasks.resize(schedule.stages);
    for (std::uint32_t stage = 0; stage < schedule.stages; ++stage) {
        const std::vector<graph::Task>& all = schedule.tasks[stage];
        std::vector<graph::Task>& tasks = few.tasks[stage];
        const std::size_t end = steady.begin[stage] + std::size_t{few.steady.rounds} * steady.tasks_per_round;
        const std::size_t left_out = std::size_t{rounds} * steady.tasks_per_round;
        tasks.reserve(all.size() - left_out);
        tasks.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(end));
        for (std::size_t t = end + left_out; t < all.size(); ++t) {
            tasks.push_back(all[t]);
            tasks.back().microbatch -= rounds * steady.microbatches_per_round;
        }
    }
    return few;
}

}  // namespace

ShortProgram::ShortProgram(const graph::PipelineSchedule& schedule, std::uint32_t left_out,
                           const Durations& durations, Sending sending)
    : schedule_{without_rounds(schedule, left_out)} {
    try {
        program_.compile(schedule_, durations, sending);
        exists_ = true;
    } catch (const ModelError&) {
        exists_ = false;
    }
    schedule_.tasks.clear();
}

bool ShortProgram::lengthen(const graph::PipelineSchedule& schedule, std::uint32_t rounds,
                            ScheduleProgram& program) const {
    if (!exists_) return false;
    program = program_;
    return RoundInserter{schedule_, schedule, rounds, program}.run();
}

}  // namespace dse::sim::fold
