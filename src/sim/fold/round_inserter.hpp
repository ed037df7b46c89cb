#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dse/graph/pipeline.hpp"
#include "dse/sim/fold/schedule_program.hpp"

namespace dse::sim::fold {

/// Sets ScheduleProgram's first slots of a schedule.
void number_slots(const graph::PipelineSchedule& schedule, std::vector<std::uint32_t>& first_slot);

/// How many of a schedule's steady rounds a program does not need to list, because they repeat those before
/// them. 0: listing all takes no longer.
std::uint32_t rounds_to_leave_out(const graph::PipelineSchedule& schedule);

/// Turns the program of a short schedule into that of a longer one, with rounds that are not listed.
///
/// The compiler's state at the start of a round is how many tasks each stage has run, and which of its
/// messages are on their way. If the values that live at the last marks are the same but for their numbers,
/// so are these states, and more rounds in between would have the same steps and lead to the same state.
/// What follows the rounds therefore follows more of them as well, with numbers that grow by what each of the
/// inserted rounds adds to them (docs/theory/folding.md).
class RoundInserter {
  public:
    /// \param few       the short schedule; its tasks are not needed
    /// \param schedule  the same with `rounds` more
    /// \param program   of the short schedule; changed
    RoundInserter(const graph::PipelineSchedule& few, const graph::PipelineSchedule& schedule,
                  std::uint32_t rounds, ScheduleProgram& program);

    /// \return whether enough rounds repeat for that; if not, the program is useless
    bool run();

  private:
    [[nodiscard]] bool repeat_to_the_end() const;
    [[nodiscard]] std::uint32_t slot(std::uint32_t of_few, std::uint32_t rounds) const;
    [[nodiscard]] std::uint32_t pass(std::uint32_t of_few, std::uint32_t rounds) const;
    void renumber(Step& step, std::uint32_t rounds) const;
    void renumber_live_values();
    void renumber_incoming();
    void read_growth();

    const graph::PipelineSchedule& few_;
    const graph::PipelineSchedule& schedule_;
    std::uint32_t rounds_;
    ScheduleProgram& program_;
    std::vector<std::uint32_t> first_slot_;  // of the whole schedule
};

}  // namespace dse::sim::fold
