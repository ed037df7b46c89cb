#include <algorithm>

#include "task_list.hpp"
#include "two_way_schedules.hpp"

namespace dse::graph {
namespace {

constexpr std::uint16_t down = 0;  ///< the chunk on the way from the model's input to the turning point
constexpr std::uint16_t up = 1;    ///< the chunk on the way back to the loss

/// Number of microbatches that the schedule is built for; with fewer, the tasks of the missing ones are left
/// out.
std::uint32_t least_microbatches(const PipelineSchedule& schedule) {
    return std::max(schedule.microbatches, 2 * schedule.stages - 1);
}

/// Forwards towards the turning point until the first of them comes back; then one of each chunk until the
/// first loss comes back; then all passes of the returning chunk only.
void fill(std::uint32_t stage, std::uint32_t stages, TaskList& list) {
    for (std::uint32_t n = 0; n < 2 * (stages - stage) - 1; ++n) list.forward(down);
    for (std::uint32_t n = 0; n < stage; ++n) {
        list.forward(up);
        list.forward(down);
    }
    for (std::uint32_t n = 0; n < stages - stage; ++n) {
        list.forward(up);
        list.backward(up);
        list.weight();
    }
}

/// Input gradients first, because earlier stages wait for them; weight gradients fill the gaps.
void drain(std::uint32_t stage, std::uint32_t stages, TaskList& list) {
    for (std::uint32_t n = 0; n < stage; ++n) {
        list.backward(down);
        list.backward(up);
    }
    for (std::uint32_t n = 0; n < stages - stage; ++n) {
        list.backward(down);
        list.weight();
    }
    while (list.weight()) {
    }
}

void list_stage(std::uint32_t stage, const PipelineSchedule& schedule, std::vector<Task>& tasks) {
    TaskList list{schedule.microbatches, tasks};
    fill(stage, schedule.stages, list);
    const std::uint32_t all = least_microbatches(schedule);
    while (list.forwards(up) < all) {
        if (list.forwards(down) < all) list.forward(down);
        list.backward(down);
        list.weight();
        list.forward(up);
        list.backward(up);
        list.weight();
    }
    drain(stage, schedule.stages, list);
}

/// A round is the three passes of both chunks; every stage starts with it at the end of its fill phase.
void find_zero_bubble_v_phase(PipelineSchedule& schedule) {
    const std::uint32_t stages = schedule.stages;
    SteadyPhase& steady = schedule.steady;
    steady.tasks_per_round = 6;
    steady.microbatches_per_round = 1;
    // Stage 0 has 2 · stages - 1 microbatches in flight; a single stage must stop before its last backward.
    const std::uint32_t others = std::max(2 * stages - 1, stages + 1);
    steady.rounds = schedule.microbatches > others ? schedule.microbatches - others : 0;
    for (std::uint32_t stage = 0; stage < stages; ++stage)
        steady.begin.push_back(2 * stages - 1 + 3 * (stages - stage));
}

}  // namespace

void list_zero_bubble_v(PipelineSchedule& schedule) {
    for (std::uint32_t stage = 0; stage < schedule.stages; ++stage)
        list_stage(stage, schedule, schedule.tasks[stage]);
    find_zero_bubble_v_phase(schedule);
}

}  // namespace dse::graph
