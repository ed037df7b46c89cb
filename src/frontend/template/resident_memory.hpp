#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "block_state.hpp"
#include "frontend/template/structure.hpp"
#include "stage_parameters.hpp"

namespace dse::frontend {

/// What the memory that a stage always holds follows from, and the structure that its buffers are added to.
struct ResidentParts {
    std::span<const Block> blocks;
    std::span<const BlockPlans> plans;    ///< by block
    std::span<const Sharding> shardings;  ///< by block
    std::span<const BlockState> states;   ///< by block
    const StructureOptions& options;
    std::int64_t zero;  ///< stage; 0 if no parameter has replicas
    StageParameters& parameters;
    Structure& structure;
};

/// Parameters, gradients and optimizer states, and what a framework keeps beside them.
std::vector<graph::BufferId> resident_of_training(const StageUnits& units, const ResidentParts& parts);

/// Parameters, and a device's part of the cache and of the states of all served sequences.
std::vector<graph::BufferId> resident_of_inference(const StageUnits& units, const ResidentParts& parts);

}  // namespace dse::frontend
