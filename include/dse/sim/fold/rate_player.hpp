#pragma once

#include <cstddef>
#include <cstdint>

#include "dse/sim/fold/schedule_player.hpp"

namespace dse::sim::fold {

/// Plays steps with, beside every time t, a rate r: what t becomes when the steps are played again k periods
/// later, from a state that has grown by its rates k times, is t + k·r. That holds as long as everyone waits
/// for whom they wait for now; horizon() is the largest such k. Sums of quantised times are exact, so that
/// t + k·r is, too.
class RatePlayer {
  public:
    /// Gives the rates a shape; they are to be filled for what is there before the steps.
    void reset(SchedulePlayer& player);

    /// Plays steps [begin, end) of the player's program on its state.
    void play(std::size_t begin, std::size_t end);

    [[nodiscard]] ScheduleState& rates() { return rates_; }
    [[nodiscard]] const ScheduleState& rates() const { return rates_; }

    /// Of what was played since the last call of start().
    [[nodiscard]] double horizon() const { return horizon_; }
    void start();

  private:
    /// A time, and by how much it grows.
    struct Moving {
        double time{absent};
        double rate{0};
    };
    /// \param last  the second of two tasks that are played together; else the same step
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
};

}  // namespace dse::sim::fold
