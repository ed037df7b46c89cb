#pragma once

#include <cstdint>
#include <vector>

#include "dse/results/interval_set.hpp"
#include "dse/results/result_sink.hpp"

namespace dse::results {

/// Holds what a log claims to cover against the rows that are there: a range counts only where as many points
/// of it have rows as the claim says. Otherwise its rows count one by one, and the rest is to be evaluated
/// again.
///
/// A claim is about rows that stand between the batch before and itself, so that no more than a batch of ids
/// is in memory.
class Claims {
  public:
    void add_row(std::uint64_t point_id);
    void add_claim(const Coverage& claim);

    /// What is covered. Ends the last batch.
    [[nodiscard]] IntervalSet take();

  private:
    [[nodiscard]] bool borne_out(const Coverage& claim);
    void end_batch();
    void cover(const Interval& interval);

    std::vector<std::uint64_t> batch_;  ///< ids since the batch before
    std::vector<Interval> accepted_;    ///< of this batch
    bool claimed_{false};               ///< the batch has a claim: the next row begins another
    std::vector<Interval> covered_;
};

}  // namespace dse::results
