#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "dse/dist/message.hpp"

namespace dse::dist {

/// What rank 0 knows of a rank that evaluates: its leases, its speed, its signs of life.
class Leaseholder {
  public:
    using Clock = std::chrono::steady_clock;

    void lease(const Range& range);

    /// A whole lease is evaluated.
    void evaluated(const Range& range, double busy_seconds);

    /// Rows of a range are on disk. Of a lease that was taken away in the meantime it means nothing.
    void committed(const Range& range);

    /// It spoke: whoever was taken for lost is back.
    void heard();
    [[nodiscard]] bool silent_for(Clock::duration limit) const;

    /// Takes its leases away.
    /// \return what of them is not on disk
    std::vector<Range> lose();

    void close() { closed_ = true; }

    [[nodiscard]] bool lost() const { return lost_; }
    [[nodiscard]] bool closed() const { return closed_; }
    [[nodiscard]] bool active() const { return !lost_ && !closed_; }

    /// Two leases are out at a time, so that a worker never waits for the answer of rank 0.
    [[nodiscard]] bool wants_lease() const { return active() && waiting_ < 2; }
    [[nodiscard]] bool holds_leases() const { return !leases_.empty(); }

    /// Indices a second, of late; 0 when not known.
    [[nodiscard]] double rate() const { return rate_; }

  private:
    std::vector<Range> leases_;  ///< what of them is not on disk, in the order of their handing out
    std::size_t waiting_{0};     ///< leases that are not evaluated
    double rate_{0.0};
    Clock::time_point last_heard_{Clock::now()};
    bool lost_{false};
    bool closed_{false};
};

}  // namespace dse::dist
