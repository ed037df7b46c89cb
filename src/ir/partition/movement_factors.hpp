#pragma once

#include <optional>

#include "ir/partition/rule_subject.hpp"

namespace dse::ir::partition {

/// New dimensions are factors of the result alone; a dimension of 1 that is repeated has none.
std::optional<FactorRule> broadcast_rule(const Subject& subject);
std::optional<FactorRule> transpose_rule(const Subject& subject);

/// Slices and pads: dimensions that are cut or padded need their neighbours' parts.
std::optional<FactorRule> cut_rule(const Subject& subject);
/// Where only a run decides what is cut, layouts do not pass the dimension either.
std::optional<FactorRule> dynamic_slice_rule(const Subject& subject);
/// Each device updates what it has of the array; the update lies whole in the dimensions where it is shorter.
std::optional<FactorRule> dynamic_update_rule(const Subject& subject);

/// The dimension that is joined lies whole; slices of arrays that are joined again are shifted.
std::optional<FactorRule> concatenate_rule(const Subject& subject);
std::optional<FactorRule> reverse_rule(const Subject& subject);
/// The sorted dimension lies whole; where it is the only one, layouts do not pass.
std::optional<FactorRule> sort_rule(const Subject& subject);

/// Windows over a dimension need their neighbours' parts. Of select_and_scatter the windows lie over the
/// first operand, and the second has one element for each.
std::optional<FactorRule> window_rule(const Subject& subject);
std::optional<FactorRule> fft_rule(const Subject& subject);

/// Casts to an element type of another width split or join the last dimension, which lies whole.
std::optional<FactorRule> bitcast_rule(const Subject& subject);

}  // namespace dse::ir::partition
