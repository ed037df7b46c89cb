#pragma once

#include <cstddef>
#include <vector>

#include "dse/ir/program/program.hpp"
#include "uses.hpp"

namespace dse::ir {

/// A new order of a computation's operations, as indices into the old one.
struct NewOrder {
    std::vector<std::size_t> operations;
    std::vector<char> moved;  ///< by old index: has been moved; all others are in their old order
};

/// Defers operations that only finish a computation, such as an optimizer after its reduction, since nothing
/// else reads their results. Element-wise operations and waits that depend on a collective, and on which only
/// results of the computation depend, move after the operations that precede position `until` of that
/// collective.
///
/// \param until  by old index, for collectives: old position to which readers are deferred; 0 for all others.
///               It must not decrease from a collective to a later one
/// \return the indices in the resulting order
std::vector<std::size_t> with_late_readers(const Program& program, const Uses& uses, ComputationId id,
                                           const NewOrder& order, const std::vector<std::size_t>& until);

}  // namespace dse::ir
