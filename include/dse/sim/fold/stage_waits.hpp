#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/sim/fold/logged_play.hpp"
#include "dse/sim/fold/region_player.hpp"
#include "dse/sim/path_parts.hpp"

namespace dse::sim::fold {

/// When the compute stream of one stage waited for others (Waits), found piece by piece from the end, where
/// somebody asks. A piece that is entered with all its inputs there waits for nobody, and neither does one
/// whose late inputs did not wait for a message. Most others wait for a message before they begin with their
/// first kernel; only the rest are played.
class StageWaits final : public EarlierWaits {
  public:
    /// Not where the stage meets another one before its finish.
    static bool can_find(const LoggedPlay& play, std::uint32_t stage);

    /// The arguments must outlive the use.
    /// \param end  when the last stage arrives at the barrier
    void start(const LoggedPlay& play, const RegionTable& table, std::uint32_t stage, double end);

    std::span<const Waits::Stretch> before(double end, double start) override;

    [[nodiscard]] std::uint64_t node_visits() const { return is_ready_ ? player_.node_visits() : 0; }

  private:
    class ChainWriter;

    void leave_out_from(double time);
    void find_waits(std::size_t piece);
    void play(std::size_t piece);
    void find_last_waits(double free);
    [[nodiscard]] double wait_for_first_ports(std::size_t piece);
    [[nodiscard]] bool may_wait_after(double entry) const;
    bool read_arrivals(std::size_t piece);
    Arrival arrival_of(std::size_t piece, std::size_t input);
    void add_last_message(ChainWriter& chain);
    void add_sent(std::uint32_t lane_end, std::size_t position, ChainWriter& chain);
    void add_chain(PieceExit exit, ChainWriter& chain);

    const LoggedPlay* play_{nullptr};
    const RegionTable* table_{nullptr};
    std::uint32_t stage_{0};
    double end_{0};
    std::size_t next_{0};  // pieces from here on are done; the last one stands for what follows the finish
    bool has_uses_{false};
    bool is_ready_{false};  // the player
    EntryUses uses_;
    RegionPlayer player_;
    Waits waits_;  // of one piece
    Parts parts_;  // of no interest
    std::vector<double> inputs_;
    std::vector<double> inputs_before_;
    std::vector<Arrival> arrivals_;
};

}  // namespace dse::sim::fold
