#pragma once

#include <string>
#include <vector>

#include "dse/frontend/template/block.hpp"
#include "dse/graph/parallel_layout.hpp"
#include "dse/graph/workload_spec.hpp"

/// Checks of layouts that are not possible with a model. All throw ModelError.
namespace dse::frontend {

/// Rejects workloads that context parallelism does not support.
void require_context_parallel(const graph::WorkloadSpec& workload, const graph::ResolvedLayout& layout);

/// Rejects axes that split nothing, because their devices would all repeat the same work.
void require_split(const std::vector<Block>& blocks, const graph::Mesh& mesh, const std::string& model);

/// Rejects replicated sparse tables: their rows are updated immediately, so that there are no gradients with
/// which replicas could be kept consistent.
void require_one_copy(const std::vector<Block>& blocks, const graph::Mesh& mesh, const std::string& model);

/// Rejects precisions that cannot be used in training: the range of 8-bit integers is too small for
/// gradients.
void require_trainable(const graph::SoftwareStack& stack);

/// Requires flash attention unless the mode is prefill: other kernels cannot read a cache.
void require_cached(const graph::WorkloadSpec& workload);

/// Requires a model that draws one token per sequence and caches keys and values. An encoder, which reads a
/// text once, needs no cache for it.
/// \param blocks  built for this mode of inference
void require_servable(const std::vector<Block>& blocks, graph::Mode mode, const std::string& model);

/// Requires a block that can be recomputed, if the stack recomputes.
void require_recomputable(const graph::SoftwareStack& stack, const std::vector<Block>& blocks,
                          const std::string& model);

/// Requires templates to write attention operator by operator if the stack does: otherwise a point with
/// `attention: unfused` would have the time and memory of a flash kernel.
void require_attention(const graph::SoftwareStack& stack, const std::vector<Block>& blocks,
                       const std::string& model);

/// Requires each name in a list of recomputed tensors to exist in at least one block.
void require_known_tensors(const std::string& names, const std::vector<Block>& blocks);

/// Requires each target of the adapters to be a parameter beside which a block has one.
void require_targets(const graph::Adapter& adapter, const std::vector<Block>& blocks,
                     const std::string& model);

/// Rejects adapters in inference, where they are part of the weights.
void require_trained(const graph::WorkloadSpec& workload);

/// Rejects unsupported offloading.
void require_offload(const graph::WorkloadSpec& workload);

}  // namespace dse::frontend
