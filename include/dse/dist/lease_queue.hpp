#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "dse/dist/message.hpp"
#include "dse/results/interval_set.hpp"

namespace dse::dist {

/// What is left to hand out: the gaps of a space, lazily, and what lost workers gave back, first.
class LeaseQueue {
  public:
    /// \param size     indices of the space
    /// \param covered  those that need no evaluation
    LeaseQueue(std::uint64_t size, const results::IntervalSet& covered);

    /// The next contiguous range, of at most `count` indices; none when nothing is left.
    /// \param count  >= 1
    std::optional<Range> next(std::uint64_t count);

    /// To be handed out after all that is there; an index that continues the last range extends it.
    void append(std::uint64_t index);

    void give_back(const Range& range);

    /// To be handed out after everything else.
    void postpone(const Range& range);

    /// Indices not handed out.
    [[nodiscard]] std::uint64_t remaining() const { return remaining_; }

  private:
    std::deque<Range> ranges_;
    std::uint64_t remaining_{0};
};

/// How many indices the next lease holds: guided self-scheduling (a share of what is left, so that leases
/// shrink and all workers end together), bounded so that a lease takes about as long as wanted. Source:
/// Polychronopoulos, Kuck, "Guided self-scheduling", IEEE Trans. Computers C-36 (1987).
struct LeaseSizing {
    double target_seconds{0.5};
    std::uint64_t first{16};  ///< while a worker's speed is not known
    std::uint64_t least{1};
    std::uint64_t most{std::uint64_t{1} << 22U};

    /// \param remaining  indices not handed out
    /// \param workers    that share them, >= 1
    /// \param rate       indices a second of the worker that asks; 0 when not known
    [[nodiscard]] std::uint64_t size(std::uint64_t remaining, std::uint64_t workers, double rate) const;
};

}  // namespace dse::dist
