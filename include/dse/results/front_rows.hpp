#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/metrics/objective.hpp"
#include "dse/results/table.hpp"

namespace dse::results {

/// Watches rows go by and keeps those that no other row dominates: what metrics::pareto_front finds among all
/// of them, in the memory of the front.
///
/// An objective counts from the first row on that has a value of it, since one that no row answers tells no
/// points apart. Rows before that one have none, and are never on the front then.
class FrontRows {
  public:
    /// \param columns  a table without rows, with the columns of those that will come
    /// \throws InputError for an objective that is no column, naming the nearest
    FrontRows(const Table& columns, std::vector<metrics::Objective> objectives);

    void add(const Table& block) { add(block, block.status); }

    /// \param status  of the block's rows, in the place of its own: only those that are `ok` have an answer
    void add(const Table& block, std::span<const space::Status> status);

    /// The front, in the order in which its rows came.
    [[nodiscard]] const Table& rows() const { return front_; }

    /// The objectives that some row has a value of, in their order.
    [[nodiscard]] const std::vector<metrics::Objective>& answered() const { return answered_; }

  private:
    [[nodiscard]] std::vector<metrics::Objective> answered_with(const Table& block) const;
    void drop_dominated(const metrics::CostTable& by, const std::vector<std::size_t>& rows);

    std::vector<metrics::Objective> objectives_;
    std::vector<metrics::Objective> answered_;
    Table front_;
    metrics::CostTable costs_{1};  ///< beside the rows of the front
};

/// Rows of a table, in the order of their costs: the best in the first objective first.
/// \param rows  all with values
std::vector<std::size_t> ordered_rows(const Table& rows, const std::vector<metrics::Objective>& objectives);

/// The same rows in that order.
Table best_first(const Table& rows, const std::vector<metrics::Objective>& objectives);

}  // namespace dse::results
