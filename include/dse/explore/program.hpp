#pragma once

#include <functional>
#include <memory>

#include "dse/explore/campaign.hpp"
#include "dse/space/space.hpp"

namespace dse::explore {

/// Answers points by the program that a space names (`exec`). One process for all points where it is talked
/// to in lines, which begins anew after a point that failed; else one a point. Whatever becomes of it, there
/// is a row: a crash, an answer that is none, and a time that is over say why, with the end of what it wrote
/// to its standard error.
/// \param stopped  looked at all the time: when it holds, the program is ended and Stopped thrown
/// \pre space->exec()
Evaluate program_answers(std::shared_ptr<const space::Space> space, std::function<bool()> stopped);

}  // namespace dse::explore
