#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/json_output.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/results/table.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// What designs lose in one metric against the best of them, over the draws of a sweep.
struct Regrets {
    metrics::Objective of;
    std::size_t draws{0};
    /// The designs, those with the least worst regret first; regret_mean, regret_p90 and regret_worst stand
    /// behind their metrics.
    results::Table designs;
};

/// Plays each design again with each of the sweep's draws. \param sweep  has uncertain fields
/// \param designs  rows of the sweep, all with an answer \param metric  of the sweep's draws, by its number
Regrets regrets_of(const study::Sweep& sweep, const results::Table& designs, std::size_t metric);

/// For people. \param varied  axes with more than one value, by index into schema.points
/// \param top  designs that are shown at most
std::string regret_text(const Regrets& regrets, const std::vector<std::size_t>& varied, std::size_t top);
Json regret_json(const Regrets& regrets, std::size_t top);

}  // namespace dse::app
