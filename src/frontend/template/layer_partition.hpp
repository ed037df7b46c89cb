#pragma once

#include <cstdint>
#include <span>
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

/// Deals a model's layers (blocks with input and output) to the pieces of a pipeline in contiguous runs, as
/// equal as possible. Where they do not divide, the first and the last piece, which hold the embedding and
/// the head as well, get one less. graph::Placement says which piece a chunk of a stage is.
/// \returns by stage \throws ModelError when there are fewer layers than pieces
std::vector<StageUnits> partition_layers(std::span<const BlockRow> rows, std::uint32_t stages,
                                         std::uint32_t chunks,
                                         graph::Placement placement = graph::Placement::cyclic);

}  // namespace dse::frontend
