#pragma once

#include <cstdint>
#include <vector>

#include "ir/partition/projection.hpp"

namespace dse::ir::partition {

/// What a choice prefers where it cannot have both.
enum class Aim : std::uint8_t {
    parallelism,  ///< the work is cut into as many parts as it can be: products, convolutions, sorts
    traffic       ///< few bytes are sent: what only moves elements, or does little to each
};
Aim aim_of(Opcode opcode);

/// An array of an operation that is to be laid out: where it lies, or is to lie when it is a result.
struct Placed {
    const Layout* layout{nullptr};
    std::vector<Layout> at_hand{};  ///< of an operand: other layouts that it is moved to for somebody else
    bool anywhere{false};           ///< an operand that every device can make for itself, in any layout
};

/// How an operation is computed: the axes of each of its factors.
///
/// Where its arrays agree, these are the axes that they have. Else, of all ways that give each axis to one
/// factor at most, the one that the aim prefers, by the bytes that a device sends: operands are moved from
/// where they lie, partial sums are reduced, results are moved to where they are to lie.
/// \param placed  as the relation's arrays
std::vector<Axes> chosen_axes(const Relation& relation, const Slots& slots, const std::vector<Placed>& placed,
                              Aim aim);

/// What a device sends where an operation is computed so. \pre axes of different factors have no part in
/// common
double sent_bytes(const Relation& relation, const Slots& slots, const std::vector<Placed>& placed,
                  const std::vector<Axes>& axes);

/// Axes over which results that are computed so are partial sums.
Axes partial_axes(const FactorRule& rule, const std::vector<Axes>& axes);

}  // namespace dse::ir::partition
