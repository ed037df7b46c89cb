#pragma once

#include <cstdint>
#include <memory>

#include "dse/explore/campaign.hpp"
#include "dse/results/result_schema.hpp"
#include "dse/sim/engine.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// Schema of the rows of a sweep's runs, including the goals of its search if that learns.
/// \param points  number of points that its search may ask for
results::ResultSchema row_schema(const study::Sweep& sweep, std::uint64_t points);

/// Evaluates points of a sweep as all of its runs do, by dse's simulation or by the sweep's program,
/// including derived metrics, until a signal arrives. The random numbers of a point follow from its id in the
/// grid, even if a search numbers its points differently.
explore::Evaluate answers_of(const std::shared_ptr<const study::Sweep>& sweep, sim::Asked::For asked);

}  // namespace dse::app
