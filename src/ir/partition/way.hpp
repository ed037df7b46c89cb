#pragma once

#include <cstdint>
#include <vector>

#include "ir/partition/axes.hpp"

namespace dse::ir::partition {

/// How partial sums become the result.
enum class Summing : std::uint8_t {
    whole,     ///< all of them at once; then each device keeps its part
    scattered  ///< first over the axes along which the result is cut, so that less is left for the others
};

/// How an operation is computed.
struct Way {
    std::vector<Axes> axes;  ///< by factor
    Summing summing{Summing::whole};
    /// By array: layouts that an operand is moved through before it lies as the axes say, or that the result
    /// is moved through behind that. May be shorter than there are arrays.
    std::vector<std::vector<Layout>> stops{};
    /// The axes in which the devices differ that move operands last: groups of devices that are the same for
    /// what is decided first. None: all devices of the mesh.
    Axes group{};
};

/// Along axes that are free of the array where its own overlap the group's, so that the group's devices have
/// the same of it. \param shards  of the array, by factor \param mesh  axes that its devices differ in
/// \return false, and nothing is done, where too few are free
bool use_free_axes(std::vector<Axes>& shards, const Axes& group, const Axes& mesh);

}  // namespace dse::ir::partition
