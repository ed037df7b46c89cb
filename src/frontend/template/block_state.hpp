#pragma once

#include <optional>
#include <span>
#include <vector>

#include "stage_parameters.hpp"

namespace dse::frontend {

/// The group over which parameters are sharded and their gradients reduced, given the axes of their
/// replicas. It contains dp even if only cp has more than one rank, because its communication belongs to data
/// parallelism, not to attention.
inline graph::AxisSet replica_group(graph::AxisSet replicas, graph::AxisSet active) {
    const graph::AxisSet never = graph::AxisSet{graph::MeshAxis::context} - active;
    return replicas - never;
}

/// Parameters of a block that share a collective. They are replicated over the same axes: dp and cp, or edp
/// for parameters of experts.
struct Replicas {
    std::vector<TensorId> parameters;
    /// All-gather of the parameters over these axes; none if they are replicated over `replica` only.
    std::optional<graph::WorkId> gather;
    std::optional<graph::WorkId> reduce;    ///< reduction of their gradients, unless another block does it
    std::optional<graph::WorkId> copy_out;  ///< kernel that copies gathered parameters to their tensors
    std::optional<graph::WorkId> copy_in;   ///< kernel that copies gradients to where they are reduced
    /// All-reduce over the replica axis of the shards that result from `reduce` (hybrid sharding).
    std::optional<graph::WorkId> replicate;
    graph::BufferId gathered;         ///< the whole parameters
    graph::BufferId unreduced;        ///< their gradients before the reduction
    bool gathered_in_backward{true};  ///< always for a block; for a single parameter if a kernel reads it
    /// Of a single parameter: gathered, it lives until the last kernel that reads it; its gradient, until it
    /// is reduced. Those of a block live until the block, or the next one, is through.
    bool is_single{false};

    [[nodiscard]] bool frees_when_reduced() const { return is_single && reduce.has_value(); }
};

/// The activations of a block that are offloaded to the host until the backward pass.
struct Offloaded {
    graph::WorkId leave;     ///< copy to the host
    graph::WorkId come;      ///< copy back
    graph::BufferId device;  ///< all of them in device memory
    graph::BufferId host;
};

/// The works and buffers of one block for data parallelism and for offloading.
struct BlockState {
    std::vector<Replicas> replicas;  ///< the sets of parameters that are replicated on several devices
    graph::WorkId reduce_tp;         ///< all-reduce over tp of the gradients that are partial sums there
    bool reduces_tp{false};          ///< whether some gradient is a partial sum over tp
    std::optional<Offloaded> offloaded;
    std::optional<graph::WorkId> send_gradients;  ///< copy to the host if the host updates parameters

    /// Whether it has parameters to gather and gradients to reduce.
    [[nodiscard]] bool is_replicated() const { return !replicas.empty(); }
};

/// The stream of a collective, which is determined by its group.
graph::StreamId stream_of(graph::WorkId collective, Structure& structure);

/// Adds the works and buffers of all blocks to the structure.
/// \param zero  ZeRO stage, 0 without data parallelism
std::vector<BlockState> make_block_states(std::span<const Block> blocks, std::span<const BlockPlans> plans,
                                          const StructureOptions& options, std::int64_t zero,
                                          StageParameters& parameters, Structure& structure);

}  // namespace dse::frontend
