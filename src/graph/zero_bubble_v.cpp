#include <algorithm>

#include "task_list.hpp"
#include "two_way_schedules.hpp"

namespace dse::graph {
namespace {

constexpr std::uint16_t down = 0;  ///< the chunk on the way from the model's input to the turn
constexpr std::uint16_t up = 1;    ///< the chunk on the way back to its loss

/// Microbatches that the schedule is made for: fewer play the same tasks without those that are missing.
std::uint32_t least_microbatches(const PipelineSchedule& schedule) {
    return std::max(schedule.microbatches, 2 * schedule.stages - 1);
}

/// As many forwards as reach the turn and come back until the first of them is here again; then one of each
/// chunk, until the first loss comes back; then the passes of the returning chunk alone.
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

/// Input gradients first, as the stages before wait for them; weight gradients fill what is left.
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

/// A round is the three passes of both chunks; every stage has them from the end of its filling on.
void find_zero_bubble_v_phase(PipelineSchedule& schedule) {
    const std::uint32_t stages = schedule.stages;
    SteadyPhase& steady = schedule.steady;
    steady.tasks_per_round = 6;
    steady.microbatches_per_round = 1;
    // Stage 0 has 2 · stages - 1 microbatches under way; a single one must stop before the last backward.
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
