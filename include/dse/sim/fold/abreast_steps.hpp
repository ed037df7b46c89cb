#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/sim/fold/schedule_program.hpp"

namespace dse::sim::fold {

/// A step whose values have places that others have had before.
struct AbreastStep {
    Step::Kind kind{Step::Kind::task};
    bool is_backward{false};
    std::uint16_t variant{0};
    std::uint32_t stage{0};
    std::uint32_t in{0};  ///< place of the boundary value of a task, or of the message
    std::uint32_t out{
        0};  ///< place where a task's boundary value goes; of a transfer: the receiver's lane end
    std::uint32_t pass{0};  ///< place of a task's saved values; of a transfer: the sender's lane end
};

/// The steps of a schedule where a value's place is given to the next one once nobody needs it: what is live
/// at a time is small however long the schedule is, and stays near the processor while several are played.
class AbreastSteps {
  public:
    void read(const ScheduleProgram& program);

    [[nodiscard]] std::span<const AbreastStep> steps() const { return steps_; }
    [[nodiscard]] std::size_t messages() const { return messages_; }  ///< places
    [[nodiscard]] std::size_t passes() const { return passes_; }      ///< places

  private:
    std::vector<AbreastStep> steps_;
    std::size_t messages_{0};
    std::size_t passes_{0};
};

}  // namespace dse::sim::fold
