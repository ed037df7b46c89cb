#include "structure_key.hpp"

#include <algorithm>

#include "built_with.hpp"
#include "dse/base/check.hpp"
#include "dse/base/hash.hpp"
#include "dse/frontend/template/sharding.hpp"
#include "late_share.hpp"
#include "routed_tokens.hpp"

namespace dse::frontend {

using graph::MeshAxis;
using graph::SoftwareStack;

namespace {

/// Whether some parameters may have replicas over which their states can be sharded (see structure.cpp).
bool has_replicas(const graph::Mesh& mesh) {
    return std::any_of(every_replica_axes.begin(), every_replica_axes.end(),
                       [&](graph::AxisSet replicas) { return mesh.degree(replicas) > 1; });
}

/// The stack with the usual values of what blocks do not depend on in this workload and layout.
SoftwareStack stack_of_blocks(const graph::WorkloadSpec& workload, const graph::ResolvedLayout& layout) {
    const bool inference = is_inference(workload.mode);
    SoftwareStack stack = stack_built_with(workload, layout);
    // Without context parallelism the algorithm is irrelevant.
    if (layout.mesh.degree(MeshAxis::context) == 1) {
        stack.cp_attention = SoftwareStack{}.cp_attention;
        stack.balanced_context = true;
    }
    // ZeRO-3's hooks run on one device, too. But for these, all stages are equal without replicas.
    if (stack.zero != 3 || inference) stack.fetch_launches = 0.0;
    if (!has_replicas(layout.mesh) || inference) stack.zero = 0;
    // Only stage 3 prefetches.
    if (stack.zero != 3) {
        stack.prefetch = 0;
        stack.backward_prefetch = graph::BackwardPrefetch::pre;
        stack.unit_copies = graph::UnitCopies::none;
        stack.reshard_after_forward = true;
    }
    if (stack.zero < 2) stack.accumulate_whole = false;
    if (stack.zero != 1) stack.reduce_whole = false;
    if (stack.recompute == graph::Recompute::none) stack.recompute_layers = 0;
    if (stack.recompute != graph::Recompute::full) stack.recompute_unread = true;
    if (!has_wide_layers(stack)) stack.bf16_first_layers = stack.bf16_last_layers = 0;
    if (stack.loss_tiles == 1) stack.repeats_logits = false;
    const bool keeps_there =
        stack.offload == graph::Offload::activations || stack.offload == graph::Offload::both;
    if (!keeps_there) stack.offload_layers = stack.offload_prefetch = 0;
    const SoftwareStack numbers;
    stack.gradient_precision = numbers.gradient_precision;
    stack.reduction_precision = numbers.reduction_precision;
    stack.master_precision = numbers.master_precision;
    stack.optimizer_precision = numbers.optimizer_precision;
    stack.gather_casts = numbers.gather_casts;
    stack.keep_weight_casts = numbers.keep_weight_casts;
    static_cast<graph::ExposedCommunication&>(stack) = {};
    stack.queues = layout.queues;
    stack.runtime_memory = numbers.runtime_memory;
    stack.communicator_memory = numbers.communicator_memory;
    stack.allocator_overhead = numbers.allocator_overhead;
    if (!inference) {
        stack.weight_bits = numbers.weight_bits;
        stack.widening_rate = numbers.widening_rate;
    }
    return stack;
}

}  // namespace

StructureKey::StructureKey(const graph::WorkloadSpec& workload, const graph::ResolvedLayout& layout) {
    add_blocks(workload, layout);
    add(layout.stages);
    add(layout.chunks);
    add(static_cast<double>(workload.layout.embedding_layers));
    add(static_cast<double>(workload.layout.head_layers));
    const bool inference = is_inference(workload.mode);
    const graph::ScheduleKind schedule = schedule_built_with(workload);
    add(graph::splits_backward(schedule) ? 1 : 0);
    add(static_cast<double>(graph::placement_of(schedule)));
    // A pipeline has separate collectives for the exposed share; ZeRO-3 communicates block by block.
    const SoftwareStack& stack = workload.stack;
    const bool once = has_replicas(layout.mesh) && !inference && (stack.zero < 3 || stack.accumulate_whole);
    add(once ? static_cast<double>(late_share(layout.stages, stack, workload.adapter.on())) : 0.0);
    add_text(workload.stage_layers);
}

StructureKey StructureKey::of_blocks(const graph::WorkloadSpec& workload,
                                     const graph::ResolvedLayout& layout) {
    StructureKey key;
    key.add_blocks(workload, layout);
    return key;
}

void StructureKey::add_blocks(const graph::WorkloadSpec& workload, const graph::ResolvedLayout& layout) {
    for (const MeshAxis axis : layout.mesh.order) {
        if (axis != MeshAxis::pipeline) add(layout.mesh.degree(axis) > 1 ? static_cast<double>(axis) : -1.0);
    }
    add(static_cast<double>(workload.mode));
    add(workload.layout.sequence_parallel && workload.mode != graph::Mode::decode ? 1 : 0);
    add(static_cast<double>(routed_tokens(workload, layout)));

    SoftwareStack stack = stack_of_blocks(workload, layout);
    // A ring has as many chunks as ranks, and the skew of contiguous shards depends on their number.
    const std::int64_t ranks = layout.mesh.degree(MeshAxis::context);
    const bool counts = stack.cp_attention == graph::ContextAttention::ring || !stack.balanced_context;
    add(counts && ranks > 1 ? static_cast<double>(ranks) : 0.0);
    describe(*this, stack);
    // Names of tensors matter only to the policy that reads them.
    const bool drops_others = stack.recompute == graph::Recompute::selective;
    add_text(drops_others ? workload.recompute_tensors : std::string_view{});
    const graph::Adapter adapter = is_inference(workload.mode) ? graph::Adapter{} : workload.adapter;
    add(static_cast<double>(adapter.rank));
    add(adapter.on() && adapter.dropout ? 1 : 0);
    add(adapter.on() ? static_cast<double>(adapter.frozen_weights) : 0.0);
    add_text(adapter.on() ? adapter.targets : std::string_view{});
    add_text(adapter.on() ? adapter.trained : std::string_view{});
}

void StructureKey::add_text(std::string_view text) {
    const Digest names = text.empty() ? Digest{} : digest(text);
    for (const std::uint64_t half : {names.high, names.low}) {
        add(static_cast<double>(half >> 32U));
        add(static_cast<double>(half & 0xffffffffU));
    }
}

void StructureKey::add(double value) {
    DSE_REQUIRE(used_ < values_.size());
    values_[used_++] = value;
}

}  // namespace dse::frontend
