#pragma once

#include <array>
#include <cstdint>

#include "dse/sim/fold/period_jump.hpp"
#include "dse/sim/fold/schedule_player.hpp"

namespace dse::sim::fold {

/// The messages of a simulated iteration, including those of skipped rounds.
class MessageView {
  public:
    MessageView(const SchedulePlayer& player, const PeriodJump& jump) : player_{&player}, jump_{&jump} {}

    /// \param sender  lane end
    /// \param slot    slot of one of its messages
    [[nodiscard]] Message at(std::uint32_t sender, std::uint32_t slot) const;

    /// How a stage changes during a jump.
    struct Passage {
        std::uint32_t position{0};  ///< of the first task after the last period that was simulated
        std::uint32_t tasks{0};     ///< per period
        std::array<std::uint32_t, graph::most_lanes> sent{};      ///< messages per period, by lane
        std::array<std::uint32_t, graph::most_lanes> received{};  ///< messages per period, by lane
        std::uint32_t microbatches{0};                            ///< per period
        std::uint32_t periods{0};                                 ///< number of skipped periods
        double rate{0};           ///< by how much the compute stream's times grow per period
        std::uint64_t moving{0};  ///< streams with that rate, as bits
        bool is_uniform{false};   ///< whether all messages grow by that rate, and all streams by it or by 0
    };
    [[nodiscard]] Passage passage(const Jump& jump, std::uint32_t stage) const;

    [[nodiscard]] const SchedulePlayer& player() const { return *player_; }
    [[nodiscard]] const PeriodJump& jump() const { return *jump_; }

  private:
    [[nodiscard]] std::uint32_t received(const Passage& passage, std::uint32_t stage, std::size_t lane) const;
    [[nodiscard]] bool messages_grow_by(double rate, const Jump& jump, std::uint32_t stage) const;

    const SchedulePlayer* player_;
    const PeriodJump* jump_;
};

}  // namespace dse::sim::fold
