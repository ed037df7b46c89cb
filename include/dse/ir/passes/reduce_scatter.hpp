#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Turns every all-reduce that is only read by a dynamic-slice of each group member's own share into a
/// reduce-scatter. Partitioners leave such pairs, whose traffic would be counted about twice.
/// Source: XLA, transform ReduceScatterCreator
Program create_reduce_scatters(const Program& program);

}  // namespace dse::ir
