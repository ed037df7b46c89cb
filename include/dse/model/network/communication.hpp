#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "dse/base/units.hpp"
#include "dse/graph/mesh.hpp"
#include "dse/graph/work.hpp"

namespace dse::model {

/// All groups over some axes of a mesh, which communicate independently and concurrently.
struct AxisGroups {
    const graph::Mesh* mesh;
    graph::AxisSet axes;
};

/// The ranks of a pipeline stage, each with its peer in another stage. All pairs communicate concurrently and
/// the slowest determines the time.
struct StagePairs {
    const graph::Mesh* mesh;
    std::int64_t from;  ///< position along the pipeline axis
    std::int64_t to;    ///< likewise
};

/// A group given by its members. If they form a regular pattern, it stands for all groups of this pattern
/// (group_mesh).
struct RankList {
    std::span<const std::int64_t> ranks;  ///< distinct, in any order
    std::int64_t devices;                 ///< of the job
};

/// Communication between devices on an otherwise idle network. Its mesh and its ranks must outlive it.
struct Communication {
    /// Empty for a message, from the first to the last of a pair of stages or of a list.
    std::optional<graph::CollectiveKind> collective;
    Bytes size;  ///< see graph::Collective and graph::Transfer
    std::variant<AxisGroups, StagePairs, RankList> devices;
    graph::Dispatch dispatch{};
};

/// The communication of a graph's collective. If only the ends of the pipeline or mirrored stages take part
/// (graph::Members), it is a pair of stages: the most distant one of several pairs.
inline Communication communication(const graph::Collective& collective, const graph::Mesh& mesh) {
    if (collective.members == graph::Members::all)
        return {collective.kind, collective.size, AxisGroups{&mesh, collective.axes}, collective.dispatch};
    return {collective.kind, collective.size,
            StagePairs{&mesh, 0, mesh.degree(graph::MeshAxis::pipeline) - 1}};
}

}  // namespace dse::model
