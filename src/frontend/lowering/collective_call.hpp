#pragma once

#include <optional>

#include "dse/graph/work.hpp"
#include "dse/ir/program/program.hpp"
#include "frontend/lowering/device_partition.hpp"

namespace dse::frontend {

/// The communication of an operation, without the participating devices.
struct CollectiveCall {
    graph::CollectiveKind kind{graph::CollectiveKind::all_reduce};
    Bytes size;  ///< like graph::Collective::size
};

/// The communication that an operation starts; none for operations that only end one, for sends (the receive
/// counts as the transfer), and for infeed and outfeed.
std::optional<CollectiveCall> collective_call(const ir::Program& program, const ir::Operation& operation);

/// Replicas and partitions of a program; if it does not state them, derived from its collectives.
DeviceGrid grid_of(const ir::Program& program);

/// The groups of devices that communicate in an operation. If it is a permutation that is not a shift along
/// the rows of a grid, one group of all devices.
/// \throws ModelError like partition_of, and if the ranks of a process group are not known
DevicePartition partition_of(const ir::Program& program, const ir::Operation& operation,
                             const DeviceGrid& grid);

/// Whether some all-gather gathers an argument of the program, as is done with sharded parameters.
bool gathers_parameters(const ir::Program& program);

}  // namespace dse::frontend
