#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "dse/base/units.hpp"
#include "dse/graph/mesh.hpp"
#include "dse/graph/work.hpp"

namespace dse::model {

/// All groups over some axes of a mesh, each for itself and all at once.
struct AxisGroups {
    const graph::Mesh* mesh;
    graph::AxisSet axes;
};

/// The ranks of a pipeline stage, each with its peer of another one, all pairs at once: the slowest counts.
struct StagePairs {
    const graph::Mesh* mesh;
    std::int64_t from;  ///< position along the pipeline axis
    std::int64_t to;    ///< likewise
};

/// A group that is known by its members alone. Where they follow a pattern, it is one of all groups alike
/// (group_mesh).
struct RankList {
    std::span<const std::int64_t> ranks;  ///< distinct, in any order
    std::int64_t devices;                 ///< of the job
};

/// What devices send each other, on an otherwise idle network. Its mesh and its ranks outlive it.
struct Communication {
    /// Nothing: a message from the first to the last of a pair of stages, or of a list.
    std::optional<graph::CollectiveKind> collective;
    Bytes size;  ///< as graph::Collective and graph::Transfer have it
    std::variant<AxisGroups, StagePairs, RankList> devices;
    double choices{0.0};  ///< as graph::Collective has it
};

/// A collective of a graph. Where the ends of the pipeline alone take part (graph::Members), or mirror
/// images, it is a pair of stages: of many pairs the one furthest apart.
inline Communication communication(const graph::Collective& collective, const graph::Mesh& mesh) {
    if (collective.members == graph::Members::all)
        return {collective.kind, collective.size, AxisGroups{&mesh, collective.axes}, collective.choices};
    return {collective.kind, collective.size,
            StagePairs{&mesh, 0, mesh.degree(graph::MeshAxis::pipeline) - 1}};
}

}  // namespace dse::model
