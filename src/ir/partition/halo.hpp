#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace dse::ir::partition {

/// Simultaneous transfers between the devices along a partitioned dimension, in the exchange of elements that
/// they need of their neighbours' parts.
struct HaloStep {
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;  ///< of parts: source, target
    std::int64_t size{0};  ///< elements along the dimension, equal for all pairs
};

/// The elements that each part of a dimension needs: first element and end. Elements outside of the dimension
/// are padding.
using WantedRanges = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// The steps in which the parts of a dimension exchange the elements that they need. Neighbours send as much
/// as any of them needs, with one step per distance. If that is far more than needed, each step combines as
/// many pairs as have different sources and targets, which all send what any of them needs.
/// \param size  of the dimension, in as many equal parts as there are ranges, all of equal length except for
///              empty ones
/// \return nothing if gathering the dimension is at least as good
/// Source: XLA, spmd/spmd_partitioner_util (facts: its two exchanges of halos, and when it takes which)
std::optional<std::vector<HaloStep>> halo_steps(std::int64_t size, const WantedRanges& wanted);

}  // namespace dse::ir::partition
