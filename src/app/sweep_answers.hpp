#pragma once

#include <cstdint>
#include <memory>

#include "dse/explore/campaign.hpp"
#include "dse/results/result_schema.hpp"
#include "dse/sim/engine.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// What the rows of a sweep's runs look like: of one whose search learns, with the goals of that search.
/// \param points  that its search may ask for
results::ResultSchema row_schema(const study::Sweep& sweep, std::uint64_t points);

/// Answers points of a sweep as all of its runs do, by dse's simulation or by the sweep's program, with what
/// it derives from their answers, until a signal comes. What a point draws follows from its id in the grid,
/// also where a search has numbered its own.
explore::Evaluate answers_of(const std::shared_ptr<const study::Sweep>& sweep, sim::Asked::For asked);

}  // namespace dse::app
