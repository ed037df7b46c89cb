#pragma once

#include <functional>
#include <memory>

#include "dse/explore/campaign.hpp"
#include "dse/space/space.hpp"

namespace dse::explore {

/// Evaluates points with the program that a space names (`exec`): with the line protocol one process for all
/// points, restarted after a failed point, otherwise one process per point. Every point gets a row: crashes,
/// invalid answers and timeouts give the reason, with the end of the program's standard error.
/// \param stopped  polled; when it returns true, the program is terminated and Stopped is thrown
/// \pre space->exec()
Evaluate program_answers(std::shared_ptr<const space::Space> space, std::function<bool()> stopped);

}  // namespace dse::explore
