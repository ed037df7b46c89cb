#pragma once

#include <cstddef>
#include <vector>

#include "dse/metrics/objective.hpp"
#include "dse/results/table.hpp"

namespace dse::app {

/// Tells which rows may be as good as a front for all that is known of the errors of predictions. A row of
/// the front is surely better in an objective where the ratio of the two exceeds what four of five errors of
/// ratios stay within: errors of one sweep are correlated, so these are smaller than those of the values. An
/// objective that no bars are known of is taken as exact.
class RobustFront {
  public:
    /// \param front  rows that no other dominates: what is surely worse than any row is so than one of these
    /// \param correlation  share of the errors' variance that the rows have in common
    /// \throws InputError where the rows have no bars
    RobustFront(const results::Table& front, std::vector<metrics::Objective> objectives, double correlation);

    /// Whether no row of the front is surely better in every objective.
    [[nodiscard]] bool holds(const results::Table& block, std::size_t row) const;

  private:
    [[nodiscard]] bool is_surely_better(std::size_t of_front, const results::Table& block,
                                        std::size_t row) const;

    const results::Table* front_;
    std::vector<metrics::Objective> objectives_;
    double share_;  ///< of an error of a value that is left in one of a ratio
};

}  // namespace dse::app
