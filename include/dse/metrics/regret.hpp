#pragma once

#include <vector>

#include "dse/metrics/objective.hpp"

namespace dse::metrics {

/// By how much each design is worse than the best of all under each draw of what nobody knows: its answer
/// over the best one, minus 1, and the other way round where more is better. Infinite where it alone among
/// others has no answer, NaN where none has one above 0.
/// Source: Savage, "The theory of statistical decision", JASA 46 (1951), as a share of the best.
/// \param answers  shape [design][draw]; NaN: none
std::vector<std::vector<double>> regrets(const std::vector<std::vector<double>>& answers,
                                         Direction direction);

/// Regrets of one design.
struct RegretSummary {
    double mean{0.0};
    double p90{0.0};  ///< that nine of ten draws do not exceed
    double worst{0.0};
};

/// \param regrets  of one design; draws of which nothing is known are left out. Without any all are NaN
RegretSummary summed_up(std::vector<double> regrets);

}  // namespace dse::metrics
