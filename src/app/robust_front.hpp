#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dse/eval/error_interval.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/results/table.hpp"

namespace dse::app {

/// Share of the variance of errors that two rows have in common, from 0 to 1.
struct SharedErrors {
    double alike{0.0};  ///< of one model on one chip under one stack
    double apart{0.0};  ///< of all others
};

/// Decides which rows may be as good as a front, given the known errors of predictions. A row of the front is
/// certainly better in an objective if the ratio of the two is beyond the range of four out of five errors of
/// ratios. Errors of layouts are correlated, so those of their ratios are smaller than those of values; where
/// the rows' devices or stacks differ, so may the middles of their errors, which have less in common. An
/// objective without known error bars is considered exact.
class RobustFront {
  public:
    /// \param front   rows that no other row dominates: of layouts with equal error bars, one that is
    ///                certainly worse than any row is certainly worse than one of these
    /// \param shared  what the errors of two rows have in common
    /// \throws InputError if the rows have no error bars
    RobustFront(const results::Table& front, std::vector<metrics::Objective> objectives, SharedErrors shared);

    /// Whether rows have error bars. They lack them in files of versions that had none.
    static bool applies_to(const results::Table& columns);
    /// Whether the error of a row's metric is known; no error is known of latencies of requests, for example.
    static bool has_bars(const results::Table& rows, std::size_t row, const std::string& metric);

    /// Whether no row of the front is certainly better in every objective.
    [[nodiscard]] bool holds(const results::Table& block, std::size_t row) const;

  private:
    /// A row's errors, in the order of the objectives.
    using Errors = std::vector<eval::ErrorInterval>;
    [[nodiscard]] Errors errors_of(const results::Table& table, std::size_t row) const;
    /// Share of the variance of errors that a row has in common with one of the front.
    [[nodiscard]] double correlation(std::size_t of_front, const results::Table& block,
                                     std::size_t row) const;
    [[nodiscard]] bool is_surely_better(std::size_t of_front, const results::Table& block, std::size_t row,
                                        const Errors& errors) const;

    const results::Table* front_;
    std::vector<metrics::Objective> objectives_;
    std::vector<Errors> errors_;  ///< of the rows of the front
    SharedErrors shared_;
    std::vector<std::size_t> chosen_;  ///< columns of points that tell models, chips and stacks apart
};

}  // namespace dse::app
