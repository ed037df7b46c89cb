#pragma once

#include <optional>
#include <span>
#include <vector>

#include "stage_parameters.hpp"

namespace dse::frontend {

/// The group over which parameters are sharded and their gradients reduced, of their replicas' axes. It names
/// dp even where only cp has more than one rank: what it carries is data parallelism's, not attention's.
inline graph::AxisSet replica_group(graph::AxisSet replicas, graph::AxisSet active) {
    const graph::AxisSet never = graph::AxisSet{graph::MeshAxis::context} - active;
    return replicas - never;
}

/// Parameters of a block that one collective carries; their copies lie over the same axes: over dp and cp, or
/// over edp for those of experts.
struct Replicas {
    std::vector<TensorId> parameters;
    /// All-gather of the parameters over the axes; none where only whole copies of the shards lie elsewhere.
    std::optional<graph::WorkId> gather;
    std::optional<graph::WorkId> reduce;  ///< reduction of their gradients, unless another block has them
    /// All-reduce, over the replica axis, of the shards that this reduction leaves (hybrid sharding).
    std::optional<graph::WorkId> replicate;
    graph::BufferId gathered;         ///< the parameters, whole
    graph::BufferId unreduced;        ///< their gradients before they are reduced
    bool gathered_in_backward{true};  ///< a block is, parameters one by one only where a kernel reads them
};

/// What a block keeps for its backward pass, where that waits in the host's memory.
struct Offloaded {
    graph::WorkId leave;     ///< copy to the host
    graph::WorkId come;      ///< copy back
    graph::BufferId device;  ///< all of it
    graph::BufferId host;
};

/// The data-parallel works and buffers of one block, and those of what it moves to the host.
struct BlockState {
    std::vector<Replicas> replicas;  ///< those with parameters, on more than one device
    graph::WorkId reduce_tp;         ///< all-reduce over tp of the gradients that are partial there
    bool reduces_tp{false};          ///< some gradient is partial over tp
    std::optional<Offloaded> offloaded;
    std::optional<graph::WorkId> send_gradients;  ///< to the host, where that updates

    /// Whether it has parameters that are gathered and gradients that are reduced.
    [[nodiscard]] bool is_replicated() const { return !replicas.empty(); }
};

/// The stream of a collective, by its group.
graph::StreamId stream_of(graph::WorkId collective, Structure& structure);

/// Adds the works and buffers of every block to the structure.
/// \param zero  ZeRO stage, 0 without data parallelism
std::vector<BlockState> make_block_states(std::span<const Block> blocks, std::span<const BlockPlans> plans,
                                          const StructureOptions& options, std::int64_t zero,
                                          StageParameters& parameters, Structure& structure);

}  // namespace dse::frontend
