#pragma once

#include <array>
#include <cstdint>

#include "dse/sim/fold/period_jump.hpp"
#include "dse/sim/fold/schedule_player.hpp"

namespace dse::sim::fold {

/// The messages of an iteration that was played, those of the rounds that were left out included.
class MessageView {
  public:
    MessageView(const SchedulePlayer& player, const PeriodJump& jump) : player_{&player}, jump_{&jump} {}

    /// \param sender  lane end
    /// \param slot    of one of its messages
    [[nodiscard]] Message at(std::uint32_t sender, std::uint32_t slot) const;

    /// How a stage passes through a jump.
    struct Passage {
        std::uint32_t position{0};  ///< of its first task behind the last period that was played
        std::uint32_t tasks{0};     ///< of a period
        std::array<std::uint32_t, graph::most_lanes> sent{};      ///< messages of a period, by lane
        std::array<std::uint32_t, graph::most_lanes> received{};  ///< likewise
        std::uint32_t microbatches{0};                            ///< of a period
        std::uint32_t periods{0};                                 ///< left out
        double rate{0};           ///< what a period adds to all times of the stage
        std::uint64_t moving{0};  ///< to which of its streams, as bits
        bool is_uniform{false};   ///< whether that is all there is to it: any time may have its own rate
    };
    [[nodiscard]] Passage passage(const Jump& jump, std::uint32_t stage) const;

    [[nodiscard]] const SchedulePlayer& player() const { return *player_; }
    [[nodiscard]] const PeriodJump& jump() const { return *jump_; }

  private:
    [[nodiscard]] std::uint32_t settled_at(std::uint32_t end, std::uint32_t mark) const;
    [[nodiscard]] std::uint32_t received(const Passage& passage, std::uint32_t stage, std::size_t lane) const;
    [[nodiscard]] bool messages_grow_by(double rate, const Jump& jump, std::uint32_t stage) const;

    const SchedulePlayer* player_;
    const PeriodJump* jump_;
};

}  // namespace dse::sim::fold
