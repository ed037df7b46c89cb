#include <algorithm>

#include "task_list.hpp"
#include "two_way_schedules.hpp"

namespace dse::graph {
namespace {

/// One stage of two pipelines in opposite directions. Its near chunk is the one whose pipeline starts at the
/// closer end of the stages, so its microbatches come first; this makes both halves of the stages symmetric.
class DualPipeStage {
  public:
    DualPipeStage(std::uint32_t stage, const PipelineSchedule& schedule, std::vector<Task>& tasks)
        : near_{static_cast<std::uint16_t>(2 * stage < schedule.stages ? 0 : 1)},
          far_{static_cast<std::uint16_t>(1 - near_)},
          from_end_{std::min(stage, schedule.stages - 1 - stage)},
          to_middle_{schedule.stages / 2 - 1 - from_end_},
          overlaps_{schedule.microbatches - schedule.stages + from_end_ + 1},
          list_{schedule.microbatches, tasks} {}

    void list() {
        fill();
        for (std::uint32_t n = 0; n < overlaps_; ++n) {
            // The two middle stages exchange their first microbatches, so there is nothing to overlap with
            // yet.
            overlap(near_, n == 0 && to_middle_ == 0 ? Form::plain : Form::overlapped);
            overlap(far_, Form::overlapped);
        }
        drain();
    }

  private:
    /// Weight gradients are deferred only where they fill bubbles.
    void fill() {
        for (std::uint32_t n = 0; n < 2 * to_middle_; ++n) list_.forward(near_);
        for (std::uint32_t n = 0; n <= from_end_; ++n) {
            list_.forward(near_);
            list_.forward(far_);
        }
        for (std::uint32_t n = 0; n < to_middle_; ++n) {
            list_.backward(far_);
            list_.weight();
            list_.forward(far_);
        }
    }

    void overlap(std::uint16_t chunk, Form form) {
        list_.forward(chunk, form);
        list_.backward(static_cast<std::uint16_t>(1 - chunk), Form::whole);
    }

    /// The second half of the remaining backward pairs defers its weight gradients.
    void drain() {
        for (std::uint32_t n = 0; n < to_middle_; ++n) {
            list_.backward(far_, Form::whole);
            overlap(far_, Form::overlapped);
        }
        for (std::uint32_t n = 0; n < 2 * (from_end_ + 1); ++n)
            list_.backward(n % 2 == 0 ? far_ : near_, n <= from_end_ ? Form::whole : Form::plain);
        for (std::uint32_t n = 0; n < to_middle_; ++n) {
            list_.weight();
            list_.backward(near_);
        }
        while (list_.weight()) {
        }
    }

    std::uint16_t near_;
    std::uint16_t far_;
    std::uint32_t from_end_;   ///< stages between this one and the closer end
    std::uint32_t to_middle_;  ///< stages between this one and the two middle stages
    std::uint32_t overlaps_;   ///< overlapped pairs per direction until the near chunk has no forwards left
    TaskList list_;
};

/// A round is two overlapped pairs, that is, each pass of both chunks once. The first round is excluded
/// because it differs in the middle stages.
void find_dual_pipe_phase(PipelineSchedule& schedule) {
    SteadyPhase& steady = schedule.steady;
    steady.tasks_per_round = 4;
    steady.microbatches_per_round = 1;
    steady.rounds = schedule.microbatches - schedule.stages;
    for (std::uint32_t stage = 0; stage < schedule.stages; ++stage) {
        const std::uint32_t from_end = std::min(stage, schedule.stages - 1 - stage);
        const std::uint32_t to_middle = schedule.stages / 2 - 1 - from_end;
        steady.begin.push_back(2 * to_middle + 2 * (from_end + 1) + 3 * to_middle + steady.tasks_per_round);
    }
}

}  // namespace

void list_dual_pipe(PipelineSchedule& schedule) {
    for (std::uint32_t stage = 0; stage < schedule.stages; ++stage)
        DualPipeStage{stage, schedule, schedule.tasks[stage]}.list();
    find_dual_pipe_phase(schedule);
}

}  // namespace dse::graph
