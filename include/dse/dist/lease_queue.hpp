#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "dse/dist/message.hpp"
#include "dse/results/interval_set.hpp"

namespace dse::dist {

/// The indices still to be handed out: first those returned by lost workers, then the uncovered ranges of a
/// space, computed lazily.
class LeaseQueue {
  public:
    /// \param size     number of indices of the space
    /// \param covered  indices that need no evaluation
    LeaseQueue(std::uint64_t size, const results::IntervalSet& covered);

    /// The next contiguous range of at most `count` indices; nothing if none are left.
    /// \param count  >= 1
    std::optional<Range> next(std::uint64_t count);

    /// Appends an index, to be handed out after the present ones; it extends the last range if contiguous.
    void append(std::uint64_t index);

    void give_back(const Range& range);

    /// Adds a range to be handed out after everything else.
    void postpone(const Range& range);

    /// Number of indices not yet handed out.
    [[nodiscard]] std::uint64_t remaining() const { return remaining_; }

  private:
    std::deque<Range> ranges_;
    std::uint64_t remaining_{0};
};

/// Size of the next lease: guided self-scheduling (a share of the remaining indices, so that leases shrink
/// and all workers finish together), limited so that a lease takes about the desired time. Source:
/// Polychronopoulos, Kuck, "Guided self-scheduling", IEEE Trans. Computers C-36 (1987).
struct LeaseSizing {
    double target_seconds{0.5};
    std::uint64_t first{16};  ///< size while a worker's speed is unknown
    std::uint64_t least{1};
    std::uint64_t most{std::uint64_t{1} << 22U};

    /// \param remaining  number of indices not yet handed out
    /// \param workers    number of workers that share them, >= 1
    /// \param rate       indices per second of the requesting worker; 0 if unknown
    [[nodiscard]] std::uint64_t size(std::uint64_t remaining, std::uint64_t workers, double rate) const;
};

}  // namespace dse::dist
