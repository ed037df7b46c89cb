#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "dse/base/error.hpp"
#include "dse/frontend/lowering/lower.hpp"
#include "dse/frontend/lowering/prepare.hpp"
#include "dse/ir/program/program.hpp"
#include "fuzz/invariant.hpp"

namespace dse::fuzz {

/// Many devices are no defect, but not what is looked for here.
inline bool is_for_few_devices(const ir::Program& program) {
    constexpr std::int64_t most = 64;
    return program.replicas <= most && program.partitions <= most && program.devices() <= most &&
           std::all_of(program.meshes.begin(), program.meshes.end(),
                       [](const ir::DeviceMesh& mesh) { return mesh.device_count() <= most; });
}

/// Takes a program that was read through all that is behind the readers: it is partitioned, the passes change
/// it, and it is lowered, or there is said to be no way.
inline void compile(const ir::Program& program) {
    if (!is_for_few_devices(program)) return;
    graph::CompilerPasses all;
    all.fusion = graph::Fusion::full;
    all.collective_pipelining = true;
    all.recomputation = graph::Recompute::full;
    all.collective_order = graph::CollectiveOrder::ahead;
    all.bucket_size = Bytes{1e9};
    all.overlap_collectives = false;
    try {
        const ir::Program local = frontend::for_one_device(program);
        ir::validate(local);
        DSE_INVARIANT(local.partitioned);
        for (const graph::CompilerPasses& passes : std::array{graph::CompilerPasses{}, all}) {
            const ir::Program changed = frontend::with_passes(local, passes);
            ir::validate(changed);
            const frontend::Lowered lowered = frontend::lower(changed, {});
            graph::validate(lowered.graph);
            DSE_INVARIANT(lowered.graph.mesh.ranks() == changed.devices());
        }
    } catch (const ModelError&) {
        return;
    }
}

}  // namespace dse::fuzz
