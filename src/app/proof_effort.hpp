#pragma once

#include <string>

#include "dse/space/space_count.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// Number of boxes that `search: {method: proven}` bounds at least: one for each combination of the axes that
/// have no order, those of the layout. 0 for other methods.
/// \throws InputError for a sweep whose points have no bounds
double layouts_to_bound(const study::Sweep& sweep, const space::SpaceCount& count);

/// Advice for a proof over so many layouts; empty if they are few enough.
std::string advice_for_proof(double layouts);

}  // namespace dse::app
