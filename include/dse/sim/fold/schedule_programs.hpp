#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"
#include "dse/sim/fold/schedule_program.hpp"
#include "dse/sim/fold/short_program.hpp"

namespace dse::sim::fold {

/// Cache of the programs of the most recently used schedules. Of steady rounds, programs list only enough to
/// find that they repeat, so that the cost of a schedule does not grow with its microbatches.
class SchedulePrograms {
  public:
    /// \param most_steps  number of steps of all kept programs, 20 bytes each; the last one is always kept.
    ///                    A sweep returns to a schedule whenever another axis moves on; so many keep most.
    explicit SchedulePrograms(std::size_t most_steps = std::size_t{1} << 22U) : most_steps_{most_steps} {}

    /// The reference is valid until the next call. \throws ModelError like compile()
    const ScheduleProgram& of(const graph::PipelineSchedule& schedule, const Durations& durations,
                              Sending sending);

    /// Whether the program that of() returned last is valid for these durations as well.
    [[nodiscard]] bool is_latest_of(const graph::PipelineSchedule& schedule, const Durations& durations,
                                    Sending sending);
    /// Number that identifies that program.
    [[nodiscard]] std::uint64_t latest_number() const { return entries_[latest_].number; }

  private:
    struct Entry {
        std::uint64_t identity{0};
        std::uint64_t last_use{0};
        std::uint64_t number{0};
        std::vector<std::uint8_t>
            holds;  ///< how messages are sent; then, by transfer, whether it blocks the sender
        ScheduleProgram program{};
    };
    /// A program that those of longer schedules are made from.
    struct Short {
        std::uint64_t identity{0};  ///< as that of a schedule with so few microbatches
        std::vector<std::uint8_t> holds;
        ShortProgram program;
    };
    const ShortProgram& short_program(const graph::PipelineSchedule& schedule, std::uint32_t left_out,
                                      const Durations& durations, Sending sending);
    void compile(const graph::PipelineSchedule& schedule, const Durations& durations, Sending sending,
                 ScheduleProgram& program);
    void forget_oldest();
    void read_holds(const graph::PipelineSchedule& schedule, const Durations& durations, Sending sending);

    std::size_t most_steps_;
    std::vector<Entry> entries_;
    std::vector<Short> short_programs_;
    std::size_t latest_{0};
    std::vector<std::uint8_t> holds_;
    std::uint64_t uses_{0};
};

}  // namespace dse::sim::fold
