#pragma once

#include <cstdint>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"
#include "dse/sim/fold/schedule_program.hpp"

namespace dse::sim::fold {

/// The program of a schedule from which steady rounds have been left out. Longer ones follow from it, so that
/// schedules that differ in their microbatches share it.
class ShortProgram {
  public:
    /// \param left_out  number of rounds, at most as many as the schedule has
    ShortProgram(const graph::PipelineSchedule& schedule, std::uint32_t left_out, const Durations& durations,
                 Sending sending);

    /// Makes the program of the schedule with `rounds` more, of which few are listed.
    /// \return false if it must be compiled: it deadlocks, or its rounds do not repeat
    bool lengthen(const graph::PipelineSchedule& schedule, std::uint32_t rounds,
                  ScheduleProgram& program) const;

  private:
    graph::PipelineSchedule schedule_;  ///< without tasks
    ScheduleProgram program_;
    bool exists_{false};
};

}  // namespace dse::sim::fold
