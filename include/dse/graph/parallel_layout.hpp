#pragma once

#include <cstdint>

#include "dse/config/described_once.hpp"
#include "dse/config/range.hpp"
#include "dse/graph/mesh.hpp"
#include "dse/graph/pipeline.hpp"
#include "dse/graph/rank_order.hpp"
#include "dse/graph/software_stack.hpp"

namespace dse::graph {

/// How the workload is distributed over the devices.
struct ParallelLayout {
    std::int64_t tp{1};
    std::int64_t cp{1};  ///< ranks that share a sequence
    std::int64_t pp{1};
    std::int64_t dp{0};  ///< 0: devices / (tp · cp · pp)
    /// Ranks of dp over which ZeRO shards the states; the remaining factor of dp is replication (hybrid
    /// sharding). 0: all of dp.
    std::int64_t dp_shard{0};
    std::int64_t ep{1};   ///< devices that share the experts of a layer
    std::int64_t etp{0};  ///< tensor-parallel degree of each expert; 0: tp, Megatron-LM's default
    std::int64_t virtual_stages{1};
    /// Number of layers that the embedding and the head count as when layers are assigned to stages.
    std::int64_t embedding_layers{0};
    std::int64_t head_layers{0};
    std::int64_t microbatch{1};  ///< sequences per microbatch and data-parallel rank
    ScheduleKind schedule{ScheduleKind::one_f_one_b};
    RankOrder rank_order{};        ///< innermost axis first
    bool sequence_parallel{true};  ///< between the blocks, activations are split over tp along the sequence
};

template <class Visitor>
void describe(Visitor& v, ParallelLayout& layout) {
    v.optional("tp", layout.tp, config::at_least(1), "tensor-parallel degree");
    v.optional("cp", layout.cp, config::at_least(1), "context-parallel degree: ranks that share a sequence");
    v.optional("pp", layout.pp, config::at_least(1), "pipeline stages");
    v.optional("dp", layout.dp, config::not_negative,
               "data-parallel degree; by default devices / (tp * cp * pp)");
    v.optional("dp_shard", layout.dp_shard, config::not_negative,
               "data-parallel ranks over which ZeRO shards the states; by default all of dp");
    v.optional("ep", layout.ep, config::at_least(1),
               "expert-parallel degree: devices that share the experts of a layer");
    v.optional("etp", layout.etp, config::not_negative,
               "tensor-parallel degree of each expert; by default tp");
    v.optional("virtual_stages", layout.virtual_stages, config::at_least(1),
               "model chunks per stage (schedule interleaved)");
    v.optional("embedding_layers", layout.embedding_layers, config::between(0, 64),
               "layers that the embedding counts as when layers are assigned to stages");
    v.optional("head_layers", layout.head_layers, config::between(0, 64),
               "layers that the head counts as when layers are assigned to stages");
    v.optional("microbatch", layout.microbatch, config::at_least(1),
               "sequences per microbatch and data-parallel rank");
    v.optional("schedule", layout.schedule, "pipeline schedule");
    v.optional("rank_order", layout.rank_order, "order of the ranks on the machine, innermost axis first");
    v.optional("sequence_parallel", layout.sequence_parallel, "split activations over tp between the blocks");
}
DSE_DESCRIBED_ONCE(ParallelLayout);

/// A layout with all degrees known. Experts are folded over the same devices as everything else:
/// etp · ep · edp · pp = tp · cp · dp · pp in each replica of hybrid sharding.
struct ResolvedLayout {
    Mesh mesh;
    std::uint32_t stages{1};
    std::uint32_t chunks{1};
    std::uint32_t microbatches{1};        ///< per iteration and data-parallel rank
    std::int64_t microbatch{1};           ///< sequences per microbatch
    std::uint32_t steps{1};               ///< decode: tokens per sequence, generated one after the other
    Queues queues{Queues::communicator};  ///< those of the stack, unless the network supports only `one`
};

/// \param devices       >= 1
/// \param global_batch  sequences per iteration, >= 1
/// \throws ModelError if a degree is not positive, the product of the degrees differs from the devices in
///         either folding, the degrees do not divide the batch, or replicas do not divide the data-parallel
///         ranks
ResolvedLayout resolve(const ParallelLayout& layout, std::int64_t devices, std::int64_t global_batch);

}  // namespace dse::graph
