#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::frontend {

/// The operand whose buffer the operation overwrites with its result: the operand that a scatter or
/// dynamic-update-slice updates (the latter also at the end of a fused kernel). None if its results have
/// their own buffers.
std::optional<std::size_t> operand_written_over(const ir::Program& program, const ir::Operation& operation);

/// Types of the entry's argument arrays, with tuples flattened.
std::vector<ir::TypeId> argument_leaf_types(const ir::Program& program);

/// The leaves of the entry's results that reuse the buffer of an argument, according to Program::aliases. An
/// alias that leaves the choice to the compiler takes the first free result of the argument's type.
std::vector<std::size_t> results_in_arguments(const ir::Program& program);

}  // namespace dse::frontend
