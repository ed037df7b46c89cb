#pragma once

#include <cstdint>

#include "frontend/template/structure.hpp"
#include "state_places.hpp"

namespace dse::frontend {

/// How much of data parallelism's communication in a pipeline is placed outside the tasks: gradients after a
/// stage's last task, parameters before its first one. There it does not delay other stages, as it would
/// before the gradient that is passed to the previous stage.
enum class LateShare : std::uint8_t { none, some, all };

/// Gradients of adapters fit into one bucket, which is reduced when the last of them is ready:
/// Megatron-Core's buckets hold 40 million gradients at least, or a million for each replica
/// (core/distributed, distributed_data_parallel.py).
inline LateShare late_share(std::uint32_t stages, const graph::SoftwareStack& stack, bool one_bucket) {
    if (one_bucket) return LateShare::all;
    if (stages == 1 || stack.exposed_dp <= 0.0) return LateShare::none;
    return stack.exposed_dp < 1.0 ? LateShare::some : LateShare::all;
}

/// The late share of gradient reductions that happen once per step. With two copies of a model there is none,
/// because their gradients are added afterwards.
inline LateShare late_reductions(const StructureOptions& options, std::int64_t zero) {
    const bool once = zero < shards_gradients_from(options.stack);
    const bool waits = options.placement == graph::Placement::mirrored || updates_on_host(options.stack);
    return once && !waits ? late_share(options.stages, options.stack, options.one_bucket) : LateShare::none;
}

/// The share of parameter gathers, done once per step after the update, that precedes the first task.
inline LateShare early_gathers(const StructureOptions& options, std::int64_t zero) {
    const bool once = (zero == 1 || zero == 2) && !updates_on_host(options.stack);
    return once ? late_share(options.stages, options.stack, options.one_bucket) : LateShare::none;
}

}  // namespace dse::frontend
