#pragma once

#include "dse/trace/chakra/trace_check.hpp"

namespace dse::trace::chakra {

/// Checks the trace of one rank by itself.
/// \param times  number of ranks that it represents: findings count once for each
void check_program(const RankTrace& rank, std::uint64_t times, Findings& findings);

}  // namespace dse::trace::chakra
