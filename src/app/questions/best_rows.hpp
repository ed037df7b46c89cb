#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "dse/metrics/objective.hpp"
#include "dse/results/table.hpp"

namespace dse::app {

/// Watches rows go by and keeps so many of them that are best in the first objective; of equal ones those
/// that are better in the next, then those that came first. Memory is that of about twice as many rows.
class BestRows {
  public:
    /// \param objectives  at least one
    /// \param most        >= 1
    BestRows(const results::Table& columns, std::vector<metrics::Objective> objectives, std::size_t most);

    void add(const results::Table& block);

    /// The best first.
    [[nodiscard]] results::Table sorted() const;

    /// Rows that had a value of the first objective.
    [[nodiscard]] std::uint64_t answered() const { return answered_; }

  private:
    /// Costs in the order of the objectives, then which of the kept rows.
    using Key = std::pair<std::vector<double>, std::uint64_t>;
    void compact();

    std::vector<metrics::Objective> objectives_;
    std::size_t most_;
    std::uint64_t answered_{0};
    results::Table rows_;  ///< those of order_, and some that have been overtaken
    std::set<Key> order_;
};

}  // namespace dse::app
