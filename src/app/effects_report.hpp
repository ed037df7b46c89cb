#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/json_output.hpp"
#include "dse/metrics/axis_effects.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/results/idle_axes.hpp"
#include "dse/results/table.hpp"

namespace dse::app {

/// Collects rows and reports which axes determine their objectives and their feasibility.
class EffectsReport {
  public:
    /// \param columns     a table without rows, with the columns of the rows to be added
    /// \param objectives  metrics of the file
    EffectsReport(const results::Table& columns, std::vector<metrics::Objective> objectives);

    /// \param statuses  statuses of the rows; not `ok` for rows that do not count
    void add(const results::Table& block, std::span<const space::Status> statuses);

    /// Report as text. \param interactions  largest number of pairs of axes to list
    [[nodiscard]] std::string text(std::size_t interactions) const;
    [[nodiscard]] Json json() const;

    /// Above this number, rows are sampled, which saves memory and does not change the second digit of any
    /// share.
    static constexpr std::uint64_t most_rows = 1'000'000;

  private:
    struct Effects {
        std::string quantity;
        metrics::AxisEffects effects;
    };
    [[nodiscard]] std::vector<Effects> effects() const;
    [[nodiscard]] std::vector<std::vector<std::uint32_t>> places(const std::vector<std::size_t>& rows) const;
    [[nodiscard]] std::vector<std::size_t> answered(std::size_t objective) const;

    std::string name_;
    std::vector<metrics::Objective> objectives_;
    std::vector<std::size_t> axes_;  ///< indices of columns
    std::vector<std::string> names_;
    std::uint64_t one_of_;  ///< one of this many rows is kept
    std::uint64_t rows_{0};
    std::vector<std::vector<double>> points_;  ///< [axis][row]
    std::vector<std::vector<double>> costs_;   ///< [objective][row], NaN if there is no answer
    std::vector<double> feasible_;
    results::IdleAxes idle_;
};

}  // namespace dse::app
