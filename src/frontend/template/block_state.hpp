#pragma once

#include <span>
#include <vector>

#include "stage_parameters.hpp"

namespace dse::frontend {

/// The data-parallel works and buffers of one block.
struct BlockState {
    workload::WorkId gather;     ///< all-gather of its parameters over dp
    workload::WorkId reduce;     ///< reduction of its gradients over dp
    workload::WorkId reduce_tp;  ///< all-reduce over tp of the gradients that are partial there
    bool has_parameters{false};
    bool reduces_tp{false};        ///< some gradient is partial over tp
    workload::BufferId gathered;   ///< its parameters, whole
    workload::BufferId unreduced;  ///< its gradients before they are reduced
};

/// Adds the works and buffers of every block to the structure.
/// \param zero  ZeRO stage, 0 without data parallelism
std::vector<BlockState> make_block_states(std::span<const Block> blocks, std::span<const BlockPlans> plans,
                                          const StructureOptions& options, std::int64_t zero,
                                          StageParameters& parameters, Structure& structure);

}  // namespace dse::frontend
