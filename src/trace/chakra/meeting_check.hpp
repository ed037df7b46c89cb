#pragma once

#include "dse/trace/chakra/trace_check.hpp"

namespace dse::trace::chakra {

/// Looks at the collectives of all ranks: whether their groups are known, and whether all members meet in the
/// same ones.
void check_meetings(const TraceSet& set, const Groups& groups, Coverage coverage, Findings& findings);

/// Looks at messages from both ends.
void check_messages(const TraceSet& set, Findings& findings);

}  // namespace dse::trace::chakra
