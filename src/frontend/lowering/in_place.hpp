#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::frontend {

/// The operand in whose buffer the operation writes its result: what a dynamic-update-slice or a scatter
/// updates, also where it ends a fused kernel. None: its results have buffers of their own.
std::optional<std::size_t> operand_written_over(const ir::Program& program, const ir::Operation& operation);

/// Types of the arrays that the entry is given, tuples taken apart.
std::vector<ir::TypeId> argument_leaf_types(const ir::Program& program);

/// Which leaves of the entry's results lie where an argument was, by Program::aliases. An alias that lets the
/// compiler choose takes the first result of the argument's type that is free.
std::vector<std::size_t> results_in_arguments(const ir::Program& program);

}  // namespace dse::frontend
