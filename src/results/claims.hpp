#pragma once

#include <cstdint>
#include <vector>

#include "dse/results/interval_set.hpp"
#include "dse/results/result_sink.hpp"

namespace dse::results {

/// Checks a log's claims of coverage against its rows: a range only counts if as many of its points have rows
/// as the claim states. Otherwise its rows count individually, and the rest is evaluated again.
///
/// A claim refers to the rows between the previous batch and itself, so at most one batch of ids is in
/// memory.
class Claims {
  public:
    void add_row(std::uint64_t point_id);
    void add_claim(const Coverage& claim);

    /// Returns what is covered. Ends the last batch.
    [[nodiscard]] IntervalSet take();

  private:
    [[nodiscard]] bool borne_out(const Coverage& claim);
    void end_batch();
    void cover(const Interval& interval);

    std::vector<std::uint64_t> batch_;  ///< ids since the previous batch
    std::vector<Interval> accepted_;    ///< of this batch
    bool claimed_{false};               ///< the batch has a claim: the next row starts a new one
    std::vector<Interval> covered_;
};

}  // namespace dse::results
