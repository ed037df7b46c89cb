#pragma once

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Turns every all-reduce whose only reader is a dynamic-slice of one group member's share into a
/// reduce-scatter: partitioners leave the pair, and traffic would count about twice.
/// Source: XLA, transform ReduceScatterCreator
Program create_reduce_scatters(const Program& program);

}  // namespace dse::ir
