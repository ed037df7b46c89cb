#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/json_output.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/metrics/pareto.hpp"
#include "dse/results/table.hpp"

namespace dse::app {

/// Where one row stands among all others, while they go by: how many are better, how far the front is, what
/// the row would have to change.
class Standing {
  public:
    /// \param marked      one row
    /// \param front       rows that no other dominates, in the same objectives
    /// \param objectives  at least one
    Standing(const results::Table& marked, const results::Table& front,
             std::vector<metrics::Objective> objectives);

    /// Rows that break a condition are not `ok`.
    void add(const results::Table& block);

    /// For people, indented.
    [[nodiscard]] std::string text() const;

    /// {row, on_front, dominated_by, distance, rank: {metric: {rank, of}}, alone: {metric: value}, better:
    /// {changes, row}, front: {changes, row}}
    [[nodiscard]] Json json() const;

    /// The factor, less one, by which every objective at once would have to be better for the row to be on
    /// the front: the multiplicative epsilon indicator of the front to the row. 0 on it; NaN where a value is
    /// not positive. Source: Zitzler et al., "Performance assessment of multiobjective optimizers", IEEE TEC
    /// 7 (2003).
    [[nodiscard]] double distance() const;

    [[nodiscard]] bool answered() const;

  private:
    /// A row that dominates the marked one, with as few axes changed as possible.
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
    std::vector<std::uint64_t> before_;  ///< rows that are better, by objective
    std::uint64_t rows_{0};              ///< that have an answer
    std::uint64_t dominators_{0};
    Change better_;
    Change on_front_;
};

}  // namespace dse::app
