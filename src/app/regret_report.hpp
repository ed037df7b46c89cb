#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/json_output.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/results/table.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// How much designs lose in one metric against the best of them, over the draws of a sweep.
struct Regrets {
    metrics::Objective of;
    std::size_t draws{0};
    /// The designs in ascending order of worst regret, with regret_mean, regret_p90 and regret_worst after
    /// their metrics.
    results::Table designs;
};

/// Simulates each design again with each draw of the sweep.
/// \param sweep    has uncertain fields
/// \param designs  rows of the sweep, all with an answer
/// \param metric   index of a metric of the sweep's draws
Regrets regrets_of(const study::Sweep& sweep, const results::Table& designs, std::size_t metric);

/// Report as text.
/// \param varied  axes with more than one value, as indices into schema.points
/// \param top     largest number of designs to show
std::string regret_text(const Regrets& regrets, const std::vector<std::size_t>& varied, std::size_t top);
Json regret_json(const Regrets& regrets, std::size_t top);

}  // namespace dse::app
