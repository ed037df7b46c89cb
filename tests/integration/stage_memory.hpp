#pragma once

#include <map>

#include "dse/graph/graph.hpp"
#include "region_memory.hpp"
#include "small_models.hpp"

namespace dse::test {

/// What is allocated throughout, by kind; the host's as well.
inline std::map<graph::MemoryKind, double> resident(const graph::Graph& graph, std::size_t stage = 0) {
    std::map<graph::MemoryKind, double> bytes;
    for (const graph::BufferId id : graph.programs[graph.program_of[stage]].resident) {
        const graph::Buffer& buffer = graph.buffers[id.index()];
        bytes[buffer.kind] += buffer.size.value();
    }
    return bytes;
}

/// What a region of a stage does to memory.
inline RegionMemory memory_of(const graph::Graph& graph, graph::RegionId region, std::size_t stage = 0) {
    return {graph, graph.programs[graph.program_of[stage]], region};
}

/// Bytes that a layer of a gated model keeps for a token, flash attention, nothing recomputed or split.
/// docs/theory/memory.md 2.2: norms' inputs 4h and outputs 4h; QKV 2(q + 2k), attention 2q and 4n; gate and
/// up 4f, their product 2f.
inline double kept_by_layer(const ModelSizes& m) {
    return 8 * m.h + 4 * m.n * m.d + 4 * m.k * m.d + 6 * m.f + 4 * m.n;
}

}  // namespace dse::test
