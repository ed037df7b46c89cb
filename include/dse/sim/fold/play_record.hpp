#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dse/sim/fold/schedule_program.hpp"
#include "dse/sim/fold/schedule_state.hpp"

namespace dse::sim::fold {

/// One evaluation of a schedule that was played: the state in which each task was entered, all messages, and
/// when everything is free at the end. Rounds that were left out are known as well.
class PlayRecord {
  public:
    virtual ~PlayRecord() = default;

    [[nodiscard]] virtual const ScheduleProgram& program() const = 0;

    /// \param position  of a task in the list of its stage, or behind the last one
    /// \param inputs    filled: the stage's streams, then what else the task takes; as many as it has
    virtual void read_task(std::uint32_t stage, std::size_t position, std::span<double> inputs) const = 0;

    /// \param sender  lane end
    /// \param slot    slot of one of its messages
    [[nodiscard]] virtual Message message(std::uint32_t sender, std::uint32_t slot) const = 0;

    /// When a stream is free behind the stage's finish.
    [[nodiscard]] virtual double stream_free(std::uint32_t stage, std::size_t stream) const = 0;
    [[nodiscard]] virtual double send_free(std::uint32_t lane_end) const = 0;
    [[nodiscard]] virtual double receive_free(std::uint32_t lane_end) const = 0;
    /// When the last stream or message of the stage is done.
    [[nodiscard]] virtual double last_stream(std::uint32_t stage) const = 0;
    /// SchedulePlayer::meets_at
    [[nodiscard]] virtual double meets_at(std::uint32_t stage) const = 0;
};

}  // namespace dse::sim::fold
