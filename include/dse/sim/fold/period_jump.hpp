#pragma once

#include <cstdint>
#include <vector>

#include "dse/sim/fold/schedule_player.hpp"

namespace dse::sim::fold {

/// Rounds of the steady phase that were not played, since they only shift what was played before.
struct Jump {
    /// One stage when it jumps, and what one period adds.
    struct Stage {
        std::uint32_t position{0};  ///< next task
        std::uint32_t sent{0};      ///< messages settled
        std::uint32_t received{0};
        std::uint32_t consumed{0};
        std::uint32_t tasks_a_period{0};
        std::uint32_t sent_a_period{0};
        std::uint32_t received_a_period{0};
        std::uint64_t moving_streams{0};  ///< that the shift applies to, as bits
    };
    std::uint32_t periods{0};  ///< left out; 0: nothing was
    std::uint32_t microbatches_a_period{0};
    double shift{0};  ///< s, of everything, a period
    std::vector<Stage> stages;
};

/// The messages of an iteration.
struct MessageLog {
    const TransferLog& sends;
    const TransferLog& receives;
    const Jump& jump;
};

/// Messages of one stage, the ones that a jump left out included.
class MessageView {
  public:
    MessageView() = default;
    [[nodiscard]] Transfer at(std::uint32_t n) const;

    static MessageView sends(const MessageLog& log, std::uint32_t stage);
    static MessageView receives(const MessageLog& log, std::uint32_t stage);

  private:
    const TransferLog* log_{nullptr};
    std::uint32_t stage_{0};
    std::uint32_t first_hidden_{0};  // of those that were left out
    std::uint32_t end_hidden_{0};
    std::uint32_t a_period_{1};
    double shift_{0};
};

/// Plays a schedule, leaving out rounds of its steady phase once the whole state (streams, messages under
/// way, saved values) is that of some rounds before, shifted in time (DESIGN 3.3). Falls back to playing
/// everything.
class PeriodJump {
  public:
    void run(const workload::Graph& graph, RegionOperators& regions, SchedulePlayer& player);

    [[nodiscard]] const Jump& jump() const { return jump_; }

  private:
    /// One stage at the start of a round.
    struct Snapshot {
        StageState state;
        std::size_t first_stream{0};  ///< into streams_
    };
    /// A chunk's saved values of one stage: microbatches [begin, end) + those of the rounds since.
    struct Window {
        std::uint32_t stage{0};
        std::uint32_t chunk{0};
        std::uint32_t begin{0};
        std::uint32_t end{0};
        std::size_t values{0};
    };

    bool play_to_round(std::uint32_t round);
    void play_on();
    void find_windows();
    void find_used_streams(RegionOperators& regions);
    void take_snapshot(std::uint32_t round);
    [[nodiscard]] const Snapshot& snapshot(std::uint32_t round, std::uint32_t stage) const;
    [[nodiscard]] bool is_shifted(std::uint32_t from, std::uint32_t to) const;
    [[nodiscard]] bool are_streams_shifted(std::uint32_t from, std::uint32_t to, double shift) const;
    [[nodiscard]] bool are_messages_shifted(std::uint32_t from, std::uint32_t to, double shift) const;
    [[nodiscard]] bool are_saved_values_shifted(std::uint32_t from, std::uint32_t to, double shift) const;
    [[nodiscard]] std::uint32_t periods_left(std::uint32_t round, std::uint32_t period) const;
    void leave_out(std::uint32_t round, std::uint32_t period, std::uint32_t periods);
    [[nodiscard]] double shift_between(std::uint32_t from, std::uint32_t to) const;

    const workload::Graph* graph_{nullptr};
    SchedulePlayer* player_{nullptr};
    std::vector<Snapshot> snapshots_;  // ring of `kept_` rounds × stages
    std::vector<double> streams_;
    std::uint32_t kept_{0};
    std::vector<Window> windows_;
    std::vector<std::uint64_t> used_streams_;  // by stage, in the steady phase
    std::vector<std::uint32_t> done_;
    Jump jump_;
};

}  // namespace dse::sim::fold
