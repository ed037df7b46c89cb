#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/sim/fold/rate_player.hpp"
#include "dse/sim/fold/schedule_player.hpp"

namespace dse::sim::fold {

/// Rounds of the steady phase that were skipped because every time in them follows from the period before.
struct Jump {
    std::uint32_t begin{0};    ///< mark at which the last simulated period starts
    std::uint32_t rounds{0};   ///< rounds per period
    std::uint32_t periods{0};  ///< number of skipped periods after it
    std::size_t first_rate{0};
};

/// Simulates a schedule and skips rounds of its steady phase (docs/theory/folding.md). A period is one or
/// more rounds. Every time has its own rate, by which it grew from one period to the next. If RatePlayer
/// finds that one more period results in the same rates, the periods up to its horizon are skipped; beyond
/// the horizon, some wait would be decided differently. Rates may differ: a stage that runs ahead of the
/// others until its queue is full grows by less per period than they do. If no period is found, every round
/// is simulated.
class PeriodJump {
  public:
    void run(SchedulePlayer& player);

    [[nodiscard]] const std::vector<Jump>& jumps() const { return jumps_; }
    /// Rates of the messages of the last period simulated before each jump, and of the state that it leaves.
    [[nodiscard]] const ScheduleState& rates() const { return rate_player_.rates(); }
    /// By stream of a stage: by how much it grows per period of the jump.
    [[nodiscard]] std::span<const double> stream_rates(const Jump& jump, std::uint32_t stage) const {
        return std::span{stream_rates_}.subspan(jump.first_rate + stage * player_->streams(),
                                                player_->streams());
    }

  private:
    void play_round();
    /// \return rounds per period into which the first and the last stage seem to have settled; 0: none
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
    std::uint32_t mark_{0};             // current mark
    std::uint32_t next_attempt_{0};     // mark of the next attempt
    std::uint32_t patience_{0};         // rounds between attempts
    bool has_failed_{false};            // whether an attempt has failed
    std::vector<double> first_;         // compute stream of the first stage, by round since the last jump
    std::vector<double> last_;          // likewise of the last stage
    std::vector<double> stream_rates_;  // by jump, stage and stream
    std::vector<double> before_;
    std::vector<double> now_;
    std::vector<double> then_;
    std::vector<double> rates_;
    std::vector<double> rates_then_;
};

}  // namespace dse::sim::fold
