#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "frontend/template/structure.hpp"

namespace dse::frontend {

/// A block of a model and how often it stands in a row.
struct BlockRow {
    std::size_t block{0};
    std::int64_t count{1};
    bool has_input{true};
    bool has_output{true};
};

/// What a workload says about how many layers a piece of the pipeline gets.
struct LayerShares {
    /// As how many layers the ends of the model count, which are dealt with the layers: with one each,
    /// Megatron-LM's --account-for-embedding-in-pipeline-split and --account-for-loss-in-pipeline-split.
    std::int64_t embedding{0};
    std::int64_t head{0};
    std::vector<std::int64_t> pieces;  ///< layers of each piece, in the model's order; empty: equal shares
};

/// As graph::WorkloadSpec::stage_layers has them: "7 8*14 7" is 7, fourteen times 8, and 7.
/// \throws ModelError naming what is no number of layers
std::vector<std::int64_t> parse_stage_layers(const std::string& text);

/// Deals a model's layers (blocks with input and output) to the pieces of a pipeline in contiguous runs, as
/// equal as possible where `shares` does not say how. Where they do not divide, the first and the last piece,
/// which hold the embedding and the head as well, get one less. Only these two may be without a layer, where
/// what they hold counts as one. graph::Placement says which piece a chunk of a stage is.
/// \returns by stage \throws ModelError when a piece would have nothing, or `shares` are not of this model
std::vector<StageUnits> partition_layers(std::span<const BlockRow> rows, std::uint32_t stages,
                                         std::uint32_t chunks,
                                         graph::Placement placement = graph::Placement::cyclic,
                                         const LayerShares& shares = {});

}  // namespace dse::frontend
