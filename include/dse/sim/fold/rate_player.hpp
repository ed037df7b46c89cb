#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dse/sim/fold/schedule_player.hpp"

namespace dse::sim::fold {

/// Simulates steps and keeps a rate r for every time t: if the steps run again k periods later, from a state
/// that has grown by its rates k times, t becomes t + k·r. This holds as long as everything still waits for
/// the same predecessor; horizon() is the largest such k. Sums of quantized times are exact, hence t + k·r is
/// exact too.
class RatePlayer {
  public:
    /// Sizes the rates. The caller sets those of the state before the steps.
    void reset(SchedulePlayer& player);

    /// Simulates steps of the player's program, or of ScheduleProgram::round(), on its state.
    void play(std::span<const Step> steps);

    [[nodiscard]] ScheduleState& rates() { return rates_; }
    [[nodiscard]] const ScheduleState& rates() const { return rates_; }

    /// Number of periods for which the rates hold, given what was simulated since the last start().
    [[nodiscard]] double horizon() const { return horizon_; }
    void start();

  private:
    /// A time and its growth per period.
    struct Moving {
        double time{absent};
        double rate{0};
    };
    /// \param last  second task of a pair; otherwise the same step
    void play_task(const Step& step, const Step& last);
    void apply_task(const TaskOperator& played, double* time, double* rate);
    void play_transfer(const Step& step);
    /// The later of two, now and from now on: where they are equal, the one that grows more.
    static Moving later_of(const Moving& a, const Moving& b) {
        if (a.time != b.time) return a.time > b.time ? a : b;
        return a.rate >= b.rate ? a : b;
    }
    /// `loser` must not overtake `winner`.
    void stay_behind(const Moving& winner, const Moving& loser);

    SchedulePlayer* player_{nullptr};
    ScheduleState rates_;
    double horizon_{0};
    // What the operator of a task takes, by input.
    std::array<double, 2 * graph::most_values> in_time_{};
    std::array<double, 2 * graph::most_values> in_rate_{};
};

}  // namespace dse::sim::fold
