#pragma once

#include <optional>

#include "dse/graph/work.hpp"
#include "dse/ir/program/program.hpp"
#include "frontend/lowering/device_partition.hpp"

namespace dse::frontend {

/// What an operation sends, apart from to whom.
struct CollectiveCall {
    graph::CollectiveKind kind{graph::CollectiveKind::all_reduce};
    Bytes size;  ///< as graph::Collective::size
};

/// Of an operation that begins a communication; none of those that only end one, of a send (its receive is
/// the transfer), and of infeed and outfeed.
std::optional<CollectiveCall> collective_call(const ir::Program& program, const ir::Operation& operation);

/// Replicas and partitions of a program; where it says nothing of them, what its collectives name.
DeviceGrid grid_of(const ir::Program& program);

/// Who meets in it. Of a permutation that is no shift along rows of a grid: everybody.
/// \throws ModelError as partition_of, and where a process group's ranks are not known
DevicePartition partition_of(const ir::Program& program, const ir::Operation& operation,
                             const DeviceGrid& grid);

/// Whether some all-gather gathers an argument of the program, as sharded parameters are.
bool gathers_parameters(const ir::Program& program);

}  // namespace dse::frontend
