#pragma once

#include <cstdint>
#include <vector>

#include "ir/partition/projection.hpp"

namespace dse::ir::partition {

/// What a choice optimizes first.
enum class Aim : std::uint8_t {
    parallelism,  ///< as many parts as possible: products, convolutions, sorts
    traffic       ///< as few sent bytes as possible: operations that only move elements, or do little work
                  ///< per element
};
Aim aim_of(Opcode opcode);

/// An operand or result of an operation, and its layout in the program.
struct Placed {
    const Layout* layout{nullptr};
    std::vector<Layout> at_hand{};  ///< of an operand: other layouts that it is moved to for other readers
    bool anywhere{false};           ///< an operand that every device can compute in any layout
};

/// Chooses how an operation is computed: the axes of each of its factors.
///
/// If the arrays agree, these are the axes that they have. Otherwise it is the way that is best for the aim
/// among all that assign each axis to at most one factor. A device sends bytes to move operands from their
/// layouts, to reduce partial sums and to move results to their layouts.
/// \param placed  in the order of the relation's arrays
std::vector<Axes> chosen_axes(const Relation& relation, const Slots& slots, const std::vector<Placed>& placed,
                              Aim aim);

/// Bytes that a device sends if an operation is computed in this way.
/// \pre the axes of different factors do not overlap
double sent_bytes(const Relation& relation, const Slots& slots, const std::vector<Placed>& placed,
                  const std::vector<Axes>& axes);

/// Axes over which the results of this way are partial sums.
Axes partial_axes(const FactorRule& rule, const std::vector<Axes>& axes);

}  // namespace dse::ir::partition
