#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/json_output.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/metrics/pareto.hpp"
#include "dse/results/table.hpp"

namespace dse::app {

/// Ranks one row among all others: how many are better, how far the front is, and which changes would improve
/// the row.
class Standing {
  public:
    /// \param marked      one row
    /// \param front       the Pareto front in the same objectives
    /// \param objectives  at least one
    Standing(const results::Table& marked, const results::Table& front,
             std::vector<metrics::Objective> objectives);

    /// Adds rows; those that violate a condition have a status that is not `ok`.
    void add(const results::Table& block);

    /// Report as indented text.
    [[nodiscard]] std::string text() const;

    /// {row, on_front, dominated_by, distance, rank: {metric: {rank, of}}, alone: {metric: value}, better:
    /// {changes, row}, front: {changes, row}}
    [[nodiscard]] Json json() const;

    /// The factor, minus one, by which all objectives at once would have to improve for the row to be on the
    /// front: the multiplicative epsilon indicator of the front relative to the row. 0 on the front; NaN if a
    /// value is not positive.
    /// Source: Zitzler et al., "Performance assessment of multiobjective optimizers", IEEE TEC 7 (2003).
    [[nodiscard]] double distance() const;

    [[nodiscard]] bool answered() const;

  private:
    /// A row that dominates the marked one and differs from it in as few axes as possible.
    struct Change {
        results::Table row;
        std::vector<std::size_t> axes{};
        double cost{0.0};  ///< in the first objective
    };
    void consider(Change& best, const results::Table& rows, std::size_t row, std::span<const double> costs);
    [[nodiscard]] std::vector<std::size_t> changed_axes(const results::Table& rows, std::size_t row) const;
    [[nodiscard]] double alone(std::size_t objective) const;
    [[nodiscard]] std::string change_text(const Change& change) const;
    [[nodiscard]] Json change_json(const Change& change) const;
    [[nodiscard]] std::string gains_text(const Change& change) const;

    results::Table marked_;
    std::vector<metrics::Objective> objectives_;
    std::vector<double> costs_;
    metrics::CostTable front_costs_;
    std::vector<std::uint64_t> before_;  ///< number of better rows, by objective
    std::uint64_t rows_{0};              ///< number of rows with an answer
    std::uint64_t dominators_{0};
    Change better_;
    Change on_front_;
};

}  // namespace dse::app
