#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "dse/metrics/objective.hpp"
#include "dse/results/table.hpp"

namespace dse::app {

/// Keeps the rows of a sequence that are best in the first objective. Ties are decided by the next
/// objectives, then by the order of the rows. Uses memory for about twice as many rows as it keeps.
class BestRows {
  public:
    /// \param objectives  at least one
    /// \param most        number of rows to keep, >= 1
    BestRows(const results::Table& columns, std::vector<metrics::Objective> objectives, std::size_t most);

    void add(const results::Table& block);

    /// The kept rows, best first.
    [[nodiscard]] results::Table sorted() const;

    /// Number of rows that had a value of the first objective.
    [[nodiscard]] std::uint64_t answered() const { return answered_; }
    /// Number of rows with a result, but not of the first objective: a price that is not known.
    [[nodiscard]] std::uint64_t valueless() const { return valueless_; }

  private:
    /// Costs in the order of the objectives, then the index into rows_.
    using Key = std::pair<std::vector<double>, std::uint64_t>;
    void compact();

    std::vector<metrics::Objective> objectives_;
    std::size_t most_;
    std::uint64_t answered_{0};
    std::uint64_t valueless_{0};
    results::Table rows_;  ///< those of order_, and some that are no longer among the best
    std::set<Key> order_;
};

}  // namespace dse::app
