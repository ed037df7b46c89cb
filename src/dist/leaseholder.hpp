#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "dse/dist/message.hpp"

namespace dse::dist {

/// Rank 0's state for a rank that evaluates: its leases, its speed, its signs of life.
class Leaseholder {
  public:
    using Clock = std::chrono::steady_clock;

    void lease(const Range& range);

    /// A whole lease has been evaluated.
    void evaluated(const Range& range, double busy_seconds);

    /// Rows of a range are on disk. No effect on leases that have been taken away since.
    void committed(const Range& range);

    /// The rank sent a message: if it was considered lost, it is active again.
    void heard();
    [[nodiscard]] bool silent_for(Clock::duration limit) const;

    /// Takes its leases away.
    /// \return the parts that are not on disk
    std::vector<Range> lose();

    void close() { closed_ = true; }

    [[nodiscard]] bool lost() const { return lost_; }
    [[nodiscard]] bool closed() const { return closed_; }
    [[nodiscard]] bool active() const { return !lost_ && !closed_; }

    /// Two leases are out at a time, so that a worker never waits for rank 0's reply.
    [[nodiscard]] bool wants_lease() const { return active() && waiting_ < 2; }
    [[nodiscard]] bool holds_leases() const { return !leases_.empty(); }

    /// Recent rate in indices per second; 0 if unknown.
    [[nodiscard]] double rate() const { return rate_; }

  private:
    /// Parts of the leases that are not on disk, in the order in which they were handed out.
    std::vector<Range> leases_;
    std::size_t waiting_{0};  ///< leases that have not been evaluated
    double rate_{0.0};
    Clock::time_point last_heard_{Clock::now()};
    bool lost_{false};
    bool closed_{false};
};

}  // namespace dse::dist
