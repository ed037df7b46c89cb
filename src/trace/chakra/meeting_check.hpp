#pragma once

#include "dse/trace/chakra/trace_check.hpp"

namespace dse::trace::chakra {

/// Checks the collectives of all ranks: whether their groups are known, and whether all members take part in
/// the same collectives.
void check_meetings(const TraceSet& set, const Groups& groups, Coverage coverage, Findings& findings);

/// Checks messages from both ends.
void check_messages(const TraceSet& set, Findings& findings);

}  // namespace dse::trace::chakra
