#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/metrics/objective.hpp"
#include "dse/results/table.hpp"

namespace dse::results {

/// Collects the non-dominated rows of a stream of rows: the result of metrics::pareto_front over all of them,
/// in memory proportional to the front.
///
/// An objective counts from the first row that has a value for it, since an objective without values does not
/// distinguish points. Earlier rows have no value for it and are then never on the front.
class FrontRows {
  public:
    /// \param columns  an empty table with the columns of the rows to come
    /// \throws InputError for an objective without a column, naming the nearest
    FrontRows(const Table& columns, std::vector<metrics::Objective> objectives);

    void add(const Table& block) { add(block, block.status); }

    /// \param status  statuses of the block's rows, used instead of its own; only rows with `ok` have a
    /// result
    void add(const Table& block, std::span<const space::Status> status);

    /// The front, in the order of arrival.
    [[nodiscard]] const Table& rows() const { return front_; }

    /// The objectives for which some row has a value, in order.
    [[nodiscard]] const std::vector<metrics::Objective>& answered() const { return answered_; }

  private:
    [[nodiscard]] std::vector<metrics::Objective> answered_with(const Table& block) const;
    void drop_dominated(const metrics::CostTable& by, const std::vector<std::size_t>& rows);

    std::vector<metrics::Objective> objectives_;
    std::vector<metrics::Objective> answered_;
    Table front_;
    metrics::CostTable costs_{1};  ///< of the rows of the front
};

/// Indices of the rows in the order of their costs, the best in the first objective first.
/// \param rows  rows that all have values
std::vector<std::size_t> ordered_rows(const Table& rows, const std::vector<metrics::Objective>& objectives);

/// The same rows in that order.
Table best_first(const Table& rows, const std::vector<metrics::Objective>& objectives);

}  // namespace dse::results
