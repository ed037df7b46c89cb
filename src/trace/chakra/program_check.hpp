#pragma once

#include "dse/trace/chakra/trace_check.hpp"

namespace dse::trace::chakra {

/// Looks at one rank's trace by itself.
/// \param times  ranks that it stands for: what is found counts for each
void check_program(const RankTrace& rank, std::uint64_t times, Findings& findings);

}  // namespace dse::trace::chakra
