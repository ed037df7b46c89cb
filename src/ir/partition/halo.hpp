#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace dse::ir::partition {

/// What the devices along a cut dimension send each other at once, so that each has what it wants of its
/// neighbours' parts.
struct HaloStep {
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;  ///< of parts: source, target
    std::int64_t size{0};  ///< elements along the dimension, the same of every pair
};

/// The elements that each part of a dimension wants, from where up to where; what lies outside of the
/// dimension is padding.
using WantedRanges = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// The steps in which the parts of a dimension get what they want of each other. Neighbours send as far as
/// any of them wants, one step for each distance; where that is far beyond what is wanted, each step lets as
/// many pairs as have different sources and targets send all that any of them wants.
/// \param size  of the dimension, in as many equal parts as there are ranges, of equal lengths but for empty
/// ones \return nothing where it is as well to gather the dimension
/// Source: XLA, spmd/spmd_partitioner_util (facts: its two exchanges of halos, and when it takes which)
std::optional<std::vector<HaloStep>> halo_steps(std::int64_t size, const WantedRanges& wanted);

}  // namespace dse::ir::partition
