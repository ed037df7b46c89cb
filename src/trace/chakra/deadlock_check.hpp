#pragma once

#include "dse/trace/chakra/trace_check.hpp"

namespace dse::trace::chakra {

/// Plays all ranks without times: dependencies, collectives that wait for all members, receives that wait for
/// their sends. If ranks come to wait for each other, one cycle of them is a finding. First by dependencies
/// alone, then with the collectives of each stream one after the other.
/// \pre no errors were found, and all ranks are there
void check_deadlock(const TraceSet& set, const Groups& groups, Findings& findings);

}  // namespace dse::trace::chakra
