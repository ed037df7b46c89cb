#pragma once

#include <cstdint>

#include "frontend/template/structure.hpp"

namespace dse::frontend {

/// How much of what data parallelism sends in a pipeline stands by itself: gradients after a stage's last
/// task, parameters before its first one. What a stage holds back there makes no other stage wait, as it
/// would if it stood before the gradient that is handed on to the stage before.
enum class LateShare : std::uint8_t { none, some, all };

inline LateShare late_share(std::uint32_t stages, const graph::SoftwareStack& stack) {
    if (stages == 1 || stack.exposed_dp <= 0.0) return LateShare::none;
    return stack.exposed_dp < 1.0 ? LateShare::some : LateShare::all;
}

/// From which stage of ZeRO on gradients are kept as shards.
inline std::int64_t shards_gradients_from(const graph::SoftwareStack& stack) {
    constexpr std::int64_t never = 4;
    return stack.accumulate_whole ? never : 2;
}

/// Where the host updates, gradients are on their way to it, and parameters on their way back.
inline bool updates_on_host(const graph::SoftwareStack& stack) {
    return stack.offload == graph::Offload::optimizer || stack.offload == graph::Offload::both;
}

/// Of gradients that are reduced once a step. Two copies of a model add theirs after that.
inline LateShare late_reductions(const StructureOptions& options, std::int64_t zero) {
    const bool once = zero < shards_gradients_from(options.stack);
    const bool waits = options.placement == graph::Placement::mirrored || updates_on_host(options.stack);
    return once && !waits ? late_share(options.stages, options.stack) : LateShare::none;
}

/// Of parameters that are gathered once a step, after their update.
inline LateShare early_gathers(const StructureOptions& options, std::int64_t zero) {
    const bool once = (zero == 1 || zero == 2) && !updates_on_host(options.stack);
    return once ? late_share(options.stages, options.stack) : LateShare::none;
}

}  // namespace dse::frontend
