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

/// Gathers rows and says which axes decide their objectives, and which of them are feasible.
class EffectsReport {
  public:
    /// \param columns     a table without rows, with the columns of those that will come
    /// \param objectives  metrics of the file
    EffectsReport(const results::Table& columns, std::vector<metrics::Objective> objectives);

    /// \param statuses  of the rows; those that do not count have one that is not `ok`
    void add(const results::Table& block, std::span<const space::Status> statuses);

    /// For people. \param interactions  how many pairs of axes are named at most
    [[nodiscard]] std::string text(std::size_t interactions) const;
    [[nodiscard]] Json json() const;

    /// More rows are thinned out: memory, and no share changes in its second digit.
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
    std::vector<std::size_t> axes_;  ///< columns
    std::vector<std::string> names_;
    std::uint64_t one_of_;  ///< so many rows, one is kept
    std::uint64_t rows_{0};
    std::vector<std::vector<double>> points_;  ///< [axis][row]
    std::vector<std::vector<double>> costs_;   ///< [objective][row], NaN where there is no answer
    std::vector<double> feasible_;
    results::IdleAxes idle_;
};

}  // namespace dse::app
