#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dse/ir/program/program.hpp"
#include "ir/partition/axes.hpp"
#include "ir/partition/factor_rule.hpp"
#include "ir/partition/halo.hpp"

namespace dse::ir::partition {

/// Whether the operation's first array is partitioned along a dimension that is sliced or padded.
bool exchanges_halo(const FactorRule& rule, const std::vector<Axes>& axes, std::size_t dimension);

/// For a slice or a pad: the range of elements of the operand's dimension that each part of the result needs,
/// as first element and end. Elements outside of the dimension are padding. Parts without elements of the
/// result need nothing.
/// \param size  of the result's dimension
WantedRanges wanted_ranges(const Attribute& attribute, std::size_t dimension, std::int64_t size,
                           std::int64_t parts);

/// The operation that remains on a device that has these elements: it takes all of them, contiguously or with
/// a stride.
Attribute without_halo(Attribute attribute, std::size_t dimension);

}  // namespace dse::ir::partition
