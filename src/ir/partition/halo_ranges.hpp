#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dse/ir/program/program.hpp"
#include "ir/partition/axes.hpp"
#include "ir/partition/factor_rule.hpp"
#include "ir/partition/halo.hpp"

namespace dse::ir::partition {

/// Whether the operation's first array is cut along a dimension of which it takes a slice, or which it pads.
bool exchanges_halo(const FactorRule& rule, const std::vector<Axes>& axes, std::size_t dimension);

/// Of a slice or a pad: the elements of the operand's dimension that each part of the result needs, from
/// where up to where; what lies outside of it is padding. Parts that have nothing of the result need nothing.
/// \param size  of the result's dimension
WantedRanges wanted_ranges(const Attribute& attribute, std::size_t dimension, std::int64_t size,
                           std::int64_t parts);

/// What is left of the operation on a device that has those elements: all of them, one by one or in strides.
Attribute without_halo(Attribute attribute, std::size_t dimension);

}  // namespace dse::ir::partition
