#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dse/sim/fold/schedule_player.hpp"

namespace dse::sim::fold {

/// What the last play of a schedule led to before the first of its last passes. Layouts that differ only in
/// what follows (how gradients are reduced) share most of their schedule, and a sweep often visits them one
/// after the other: the next play with the same numbers continues from there.
///
/// Messages and saved values stay where the player has put them, since every message has a slot of its own
/// and later steps write each again as a whole; only streams and lanes are copied.
class PlayedBeginning {
  public:
    /// Call after SchedulePlayer::reset.
    /// \param program  number that identifies the player's program
    /// \return whether the player's state is now that before the last passes
    bool restore(SchedulePlayer& player, std::uint64_t program);

    /// Call when all steps before the last passes have been played since restore() returned false.
    void keep(const SchedulePlayer& player);

    void forget() { is_kept_ = false; }

  private:
    void read_key(const SchedulePlayer& player, std::uint64_t program);
    void add_number(std::uint64_t number);
    void add_operators(const SchedulePlayer& player);
    [[nodiscard]] bool is_like_kept() const;

    bool is_kept_{false};
    bool can_keep_{false};
    std::vector<double> key_;       // of this play: all numbers that lead to the state before the last passes
    std::vector<double> kept_key_;  // of the play whose state is kept
    std::vector<double> state_;
    std::vector<std::uint8_t> is_written_;  // by stage program and variant
};

}  // namespace dse::sim::fold
