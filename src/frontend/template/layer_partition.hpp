#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "frontend/template/structure.hpp"

namespace dse::frontend {

/// A block of a model and the number of its consecutive copies.
struct BlockRow {
    std::size_t block{0};
    std::int64_t count{1};
    bool has_input{true};
    bool has_output{true};
};

/// How a workload distributes layers to the pieces of the pipeline.
struct LayerShares {
    /// Number of layers that each end of the model counts as. 1 corresponds to Megatron-LM's
    /// --account-for-embedding-in-pipeline-split and --account-for-loss-in-pipeline-split.
    std::int64_t embedding{0};
    std::int64_t head{0};
    std::vector<std::int64_t> pieces;  ///< layers of each piece, in the model's order; empty: equal shares
};

/// Parses graph::WorkloadSpec::stage_layers: "7 8*14 7" is 7, fourteen times 8, and 7.
/// \throws ModelError naming the part that is not a number of layers
std::vector<std::int64_t> parse_stage_layers(const std::string& text);

/// Distributes a model's layers (blocks with input and output) to the pieces of a pipeline in contiguous
/// runs, as evenly as possible unless `shares` specifies otherwise. If they are not divisible, the first and
/// the last piece, which also hold the embedding and the head, get the fewest. Only these two may have no
/// layer, if they hold an embedding or a head. graph::Placement defines which piece each chunk of a stage is.
/// \returns units by stage
/// \throws ModelError if a piece would be empty, or `shares` do not match the model
std::vector<StageUnits> partition_layers(std::span<const BlockRow> rows, std::uint32_t stages,
                                         std::uint32_t chunks,
                                         graph::Placement placement = graph::Placement::cyclic,
                                         const LayerShares& shares = {});

}  // namespace dse::frontend
