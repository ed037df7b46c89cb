#pragma once

#include <cstdint>
#include <vector>

#include "ir/partition/axes.hpp"

namespace dse::ir::partition {

/// How partial sums are reduced.
enum class Summing : std::uint8_t {
    whole,     ///< all at once; then each device keeps its part
    scattered  ///< first over the axes along which the result is partitioned, which leaves less for the
               ///< others
};

/// How an operation is computed.
// Moving a small vector may allocate, which Boost declares not to throw.
// NOLINTNEXTLINE(bugprone-exception-escape)
struct Way {
    std::vector<Axes> axes;  ///< by factor
    Summing summing{Summing::whole};
    /// By array: intermediate layouts of an operand before it gets the layout given by the axes, or of the
    /// result after that. May have fewer entries than there are arrays.
    std::vector<std::vector<Layout>> stops{};
    /// Operands are moved last within groups of devices, which result from the decisions made first. These
    /// are the axes along which the devices of a group differ; empty: all devices of the mesh.
    Axes group{};
};

/// Replaces axes of an array that overlap the group's by axes that it does not use, so that the group's
/// devices have the same part of it.
/// \param shards  of the array, by factor
/// \param mesh  axes along which its devices differ
/// \return false, without any change, if there are too few free axes
bool use_free_axes(std::vector<Axes>& shards, const Axes& group, const Axes& mesh);

}  // namespace dse::ir::partition
