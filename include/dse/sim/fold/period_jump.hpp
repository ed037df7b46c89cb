#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
    std::optional<double> shift{};  ///< by which every time grows per period, if all grow by the same
};

/// Simulates a schedule and skips rounds of its steady phase (docs/theory/folding.md). A period is one or
/// more rounds. If one has shifted the whole state by the same time, so do all that follow, which are
/// skipped. Otherwise every time has its own rate, by which it grew from one period to the next. If
/// RatePlayer finds that one more period results in the same rates, the periods up to its horizon are
/// skipped; beyond the horizon, some wait would be decided differently. Rates may differ: a stage that runs
/// ahead of the others until its queue is full grows by less per period than they do. If no period is found,
/// every round is simulated.
class PeriodJump {
  public:
    /// Simulates all steps, or the first `end`.
    void run(SchedulePlayer& player) { run(player, player.program().steps().size()); }
    /// \param end  number of steps; at least up to the last round
    void run(SchedulePlayer& player, std::size_t end);

    [[nodiscard]] const std::vector<Jump>& jumps() const { return jumps_; }
    /// By how much a message of the last period simulated before a jump grows per period.
    [[nodiscard]] Message rate_of(const Jump& jump, std::size_t slot) const {
        if (jump.shift) return {*jump.shift, *jump.shift, *jump.shift};
        return rate_player_.rates().message(slot);
    }
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
    /// Whether comparing the state with that of the mark before costs less than simulating rounds.
    [[nodiscard]] bool has_long_rounds() const;
    /// Skips all rounds that are left if the last one shifted the whole state by the same time.
    bool leave_out_rest();
    void try_jump(std::uint32_t period);
    void find_rates();
    [[nodiscard]] bool rates_hold() const;
    /// \param at_mark  the state at the current mark
    void leave_out(std::uint32_t periods, std::uint32_t period, const std::vector<double>& at_mark,
                   std::optional<double> shift);
    void log_shift(const Jump& jump) const;
    template <class Visit>
    void visit_state(std::uint32_t mark, ScheduleState& state, Visit visit);
    void gather(ScheduleState& state, std::vector<double>& numbers);

    SchedulePlayer* player_{nullptr};
    const SteadyRounds* steady_{nullptr};
    RatePlayer rate_player_;
    std::vector<Jump> jumps_;
    std::uint32_t mark_{0};             // current mark
    std::uint32_t next_attempt_{0};     // mark of the next attempt
    std::uint32_t patience_{0};         // rounds between attempts
    bool has_failed_{false};            // whether an attempt has failed
    bool has_rates_{false};             // whether the rates have the size of this schedule
    bool compares_rounds_{false};       // whether the state is compared at every mark
    std::uint32_t gathered_at_{0};      // mark of the state in before_, if rounds are compared
    std::vector<std::uint8_t> moving_;  // of the state: what rounds read or write; empty: not yet known
    std::vector<Step> round_;           // a round that is not listed
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
