#pragma once

#include <string>
#include <vector>

#include "dse/frontend/template/block.hpp"
#include "dse/graph/parallel_layout.hpp"
#include "dse/graph/workload_spec.hpp"

/// What a layout cannot do with a model. All throw ModelError.
namespace dse::frontend {

/// What context parallelism cannot lay out.
void require_context_parallel(const graph::WorkloadSpec& workload, const graph::ResolvedLayout& layout);

/// An axis along which nothing lies would have its devices do the same work over and over.
void require_split(const std::vector<Block>& blocks, const graph::Mesh& mesh, const std::string& model);

/// Tables whose rows are updated at once have no gradients that their copies could agree on.
void require_one_copy(const std::vector<Block>& blocks, const graph::Mesh& mesh, const std::string& model);

/// What training cannot compute in: integers of 8 bits have no range for gradients.
void require_trainable(const graph::SoftwareStack& stack);

/// Only a flash kernel reads a cache; prefill fills one.
void require_cached(const graph::WorkloadSpec& workload);

/// Inference draws one token a sequence, and caches keys and values.
/// \param blocks  of inference
void require_decoder(const std::vector<Block>& blocks, const std::string& model);

/// A list of tensors that recomputation drops is for all blocks: each name stands in one of them at least.
void require_known_tensors(const std::string& names, const std::vector<Block>& blocks);

/// What cannot go to the host.
void require_offload(const graph::WorkloadSpec& workload);

}  // namespace dse::frontend
