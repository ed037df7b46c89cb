#pragma once

#include <optional>

#include "ir/partition/rule_subject.hpp"

namespace dse::ir::partition {

/// New dimensions are factors of the result only; a repeated dimension of size 1 has none.
std::optional<FactorRule> broadcast_rule(const Subject& subject);
std::optional<FactorRule> transpose_rule(const Subject& subject);

/// Slices and pads: sliced or padded dimensions need their neighbours' parts.
std::optional<FactorRule> cut_rule(const Subject& subject);
/// If the range is only known at run time, layouts do not propagate along the dimension.
std::optional<FactorRule> dynamic_slice_rule(const Subject& subject);
/// Each device updates its part of the array; the update is not partitioned in dimensions where it is
/// shorter.
std::optional<FactorRule> dynamic_update_rule(const Subject& subject);

/// The joined dimension is not partitioned; slices of arrays that are joined again are shifts.
std::optional<FactorRule> concatenate_rule(const Subject& subject);
std::optional<FactorRule> reverse_rule(const Subject& subject);
/// The sorted dimension is not partitioned; if it is the only one, layouts do not propagate along it.
std::optional<FactorRule> sort_rule(const Subject& subject);

/// Windows over a dimension need their neighbours' parts. For select_and_scatter the windows are over the
/// first operand, and the second operand has one element for each.
std::optional<FactorRule> window_rule(const Subject& subject);
std::optional<FactorRule> fft_rule(const Subject& subject);

/// Conversions to an element type of a different width split or merge the last dimension, which is not
/// partitioned.
std::optional<FactorRule> bitcast_rule(const Subject& subject);

}  // namespace dse::ir::partition
