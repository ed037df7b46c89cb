#pragma once

#include <cstddef>
#include <vector>

#include "dse/ir/program/program.hpp"
#include "uses.hpp"

namespace dse::ir {

/// A computation's operations in a new order, as numbers of the old one.
struct NewOrder {
    std::vector<std::size_t> operations;
    std::vector<char>
        moved;  ///< by old number: stands elsewhere than it did; the others are in their old order
};

/// What only finishes a computation, an optimizer behind its reduction, need not be done at once: nothing
/// else reads it. Operations on elements, and waits, that follow from a collective, and from which nothing
/// follows but results of the computation, go behind what stood before `until` of that collective.
///
/// \param until  by old number, of collectives: up to where in the old order readers are put off; 0 of
/// others.
///               Never less for a collective that stands further behind
/// \return the numbers in the order that this makes
std::vector<std::size_t> with_late_readers(const Program& program, const Uses& uses, ComputationId id,
                                           const NewOrder& order, const std::vector<std::size_t>& until);

}  // namespace dse::ir
