#pragma once

#include <vector>

#include "dse/metrics/objective.hpp"

namespace dse::metrics {

/// By how much each design is worse than the best design under each draw of the uncertain fields: its result
/// divided by the best one, minus 1, or the inverse ratio if larger is better. Infinite if the design has no
/// result but others have; NaN if no design has a result above 0.
/// Source: Savage, "The theory of statistical decision", JASA 46 (1951), as a share of the best.
/// \param answers  results, shape [design][draw]; NaN: no result
std::vector<std::vector<double>> regrets(const std::vector<std::vector<double>>& answers,
                                         Direction direction);

/// Summary of the regrets of one design.
struct RegretSummary {
    double mean{0.0};
    double p90{0.0};  ///< 90th percentile
    double worst{0.0};
};

/// \param regrets  of one design; NaNs are ignored
/// \return all NaN if there are no regrets
RegretSummary summed_up(std::vector<double> regrets);

}  // namespace dse::metrics
