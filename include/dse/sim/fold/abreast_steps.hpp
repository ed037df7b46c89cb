#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/sim/fold/schedule_program.hpp"

namespace dse::sim::fold {

/// A step whose values are stored in reused places.
struct AbreastStep {
    Step::Kind kind{Step::Kind::task};
    bool is_backward{false};
    std::uint16_t variant{0};
    std::uint32_t stage{0};
    std::uint32_t in{0};   ///< place of a task's incoming boundary value, or of the message
    std::uint32_t out{0};  ///< place of a task's outgoing boundary value; for a transfer: receiver's lane end
    std::uint32_t pass{0};  ///< place of a task's saved values; for a transfer: sender's lane end
};

/// Where a value is that a later step reads.
struct LivePlace {
    bool is_saved{false};      ///< saved values of a pass; otherwise the value of a message
    std::uint16_t variant{0};  ///< of the task that reads saved values
    std::uint32_t stage{0};
    std::uint32_t place{0};
};

/// The state before a step: what the steps that follow it may depend on.
struct AbreastCheckpoint {
    std::size_t step{0};
    std::vector<LivePlace> live;
    // What the steps from here to AbreastSteps::before_last_passes use.
    bool has_first_passes{false};
    std::vector<std::uint8_t> uses;      ///< by stage and variant
    std::vector<std::uint8_t> sends;     ///< by lane end
    std::vector<std::uint8_t> receives;  ///< by lane end
};

/// The steps of a schedule in which the place of a value is reused once nothing needs the value any more. The
/// number of live values is small however long the schedule is, so that those of several evaluations stay in
/// the processor's caches.
class AbreastSteps {
  public:
    void read(const ScheduleProgram& program, const graph::PipelineSchedule& schedule);

    [[nodiscard]] std::span<const AbreastStep> steps() const { return steps_; }
    /// Number of steps before the first one that runs the last backward or weight pass of a chunk, which has
    /// a region of its own.
    [[nodiscard]] std::size_t before_last_passes() const { return before_last_passes_; }
    /// States on the way to the last passes: the first before any step, the last one before the last passes.
    /// Those between are not after the first steady round.
    [[nodiscard]] std::span<const AbreastCheckpoint> checkpoints() const { return checkpoints_; }
    /// Where the live values of the steady phase (SteadyRounds::live) are at a mark.
    [[nodiscard]] std::span<const LivePlace> live_at(std::uint32_t mark) const {
        return std::span{live_}.subspan(mark * live_a_mark_, live_a_mark_);
    }
    [[nodiscard]] std::size_t messages() const { return messages_; }  ///< number of places
    [[nodiscard]] std::size_t passes() const { return passes_; }      ///< number of places

  private:
    std::vector<AbreastStep> steps_;
    std::vector<AbreastCheckpoint> checkpoints_;
    std::size_t live_a_mark_{0};
    std::vector<LivePlace> live_;  // by mark
    std::size_t before_last_passes_{0};
    std::size_t messages_{0};
    std::size_t passes_{0};
};

}  // namespace dse::sim::fold
