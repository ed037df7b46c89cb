#pragma once

#include <cstdint>
#include <vector>

#include "ir/partition/projection.hpp"

namespace dse::ir::partition {

/// What a choice prefers if it cannot have both.
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
/// If its arrays agree, these are the axes that they have. Otherwise, of all ways that assign each axis to at
/// most one factor, the one that the aim prefers, according to the bytes that a device sends: operands are
/// moved from their layouts, partial sums are reduced, and results are moved to their layouts.
/// \param placed  in the order of the relation's arrays
std::vector<Axes> chosen_axes(const Relation& relation, const Slots& slots, const std::vector<Placed>& placed,
                              Aim aim);

/// Bytes that a device sends if an operation is computed in this way. \pre the axes of different factors do
/// not overlap
double sent_bytes(const Relation& relation, const Slots& slots, const std::vector<Placed>& placed,
                  const std::vector<Axes>& axes);

/// Axes over which the results of this way are partial sums.
Axes partial_axes(const FactorRule& rule, const std::vector<Axes>& axes);

}  // namespace dse::ir::partition
