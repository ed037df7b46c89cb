#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/sim/fold/rate_player.hpp"
#include "dse/sim/fold/schedule_player.hpp"

namespace dse::sim::fold {

/// Rounds of the steady phase that were not played, since every time in them follows from the period before
/// them.
struct Jump {
    std::uint32_t begin{0};    ///< mark at which the last period that was played begins
    std::uint32_t rounds{0};   ///< of a period
    std::uint32_t periods{0};  ///< left out, behind it
    std::size_t first_rate{0};
};

/// Plays a schedule, leaving out rounds of its steady phase (docs/theory/folding.md). A period is some
/// rounds; when every time has grown by some rate of its own from one period to the next, and RatePlayer
/// finds that one more period leaves the same rates behind, the periods up to its horizon are left out:
/// beyond it, somebody waits for somebody else. A stage that runs ahead of the others until its queue is full
/// grows by less a period than they do: no period of the whole state, but rates. Falls back to playing
/// everything.
class PeriodJump {
  public:
    void run(SchedulePlayer& player);

    [[nodiscard]] const std::vector<Jump>& jumps() const { return jumps_; }
    /// Of messages: those of the last periods played, and what they left to the next ones.
    [[nodiscard]] const ScheduleState& rates() const { return rate_player_.rates(); }
    /// By stream: what a period of the jump adds to a stage's.
    [[nodiscard]] std::span<const double> stream_rates(const Jump& jump, std::uint32_t stage) const {
        return std::span{stream_rates_}.subspan(jump.first_rate + stage * player_->streams(),
                                                player_->streams());
    }

  private:
    void play_round();
    /// \return rounds of a period that the stages at both ends seem to have come to; 0: none
    [[nodiscard]] std::uint32_t likely_period() const;
    static bool is_periodic(const std::vector<double>& times, std::size_t period, std::size_t seen);
    void note_times();
    void try_jump(std::uint32_t period);
    [[nodiscard]] bool rates_hold() const;
    void leave_out(std::uint32_t periods, std::uint32_t period);
    template <class Visit>
    void visit_state(std::uint32_t mark, Visit visit);
    void gather(std::vector<double>& times, std::vector<double>* rates);

    SchedulePlayer* player_{nullptr};
    const SteadyRounds* steady_{nullptr};
    RatePlayer rate_player_;
    std::vector<Jump> jumps_;
    std::uint32_t mark_{0};             // where the play stands
    std::uint32_t next_attempt_{0};     // a mark
    std::uint32_t patience_{0};         // rounds between attempts
    bool has_failed_{false};            // an attempt has
    std::vector<double> first_;         // compute streams of the first and the last stage, by round since the
    std::vector<double> last_;          // last jump
    std::vector<double> stream_rates_;  // by jump, stage and stream
    std::vector<double> before_;
    std::vector<double> now_;
    std::vector<double> then_;
    std::vector<double> rates_;
    std::vector<double> rates_then_;
};

}  // namespace dse::sim::fold
