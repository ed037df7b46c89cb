#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/frontend/template/formula.hpp"
#include "dse/frontend/template/pass_plan.hpp"
#include "dse/graph/graph.hpp"
#include "dse/graph/stream_table.hpp"
#include "dse/graph/workload_spec.hpp"

namespace dse::frontend {

/// `count` consecutive copies of a block in one chunk of a stage.
struct Unit {
    std::size_t block{0};
    std::int64_t count{1};
    friend bool operator==(const Unit&, const Unit&) = default;
};

/// The units of each chunk of a stage.
using StageUnits = std::vector<std::vector<Unit>>;

/// The choices that determine which nodes a graph has, as opposed to their sizes.
struct StructureOptions {
    graph::AxisSet active;  ///< axes with more than one device
    std::uint32_t stages{1};
    std::uint32_t chunks{1};
    graph::SoftwareStack stack;
    bool splits_backward{false};  ///< weight gradients are separate tasks
    graph::Placement placement{graph::Placement::cyclic};
    bool forward_only{false};  ///< inference
    std::uint32_t steps{1};    ///< number of consecutive steps of inference
    bool one_bucket{false};    ///< whether one collective reduces all gradients of a stage
};

/// A graph without numbers, and the formulas that compute them.
struct Structure {
    graph::Graph graph;
    std::vector<WorkFormula> works;      ///< by WorkId
    std::vector<BufferFormula> buffers;  ///< by BufferId
    Extents extents;
    graph::StreamTable streams{};

    graph::WorkId add_work(WorkFormula formula) {
        works.push_back(std::move(formula));
        return graph::WorkId(works.size() - 1);
    }
    graph::BufferId add_buffer(graph::MemoryKind kind, Amount size) {
        buffers.push_back({kind, std::move(size)});
        return graph::BufferId(buffers.size() - 1);
    }
    graph::RegionId add_region(graph::Region region) {
        graph.regions.push_back(std::move(region));
        return graph::RegionId(graph.regions.size() - 1);
    }
    /// Adds a name for nodes (Item::name).
    graph::NameId add_name(std::string name) {
        if (graph.names.empty()) graph.names.emplace_back();
        graph.names.push_back(std::move(name));
        return graph::NameId(graph.names.size() - 1);
    }
};

/// \param blocks    the model's distinct blocks
/// \param shardings one per block
/// \param plans     one per block
/// \param extents   the extents that the plans refer to
/// \param stages    units of each pipeline stage
Structure build_structure(std::span<const Block> blocks, std::span<const Sharding> shardings,
                          std::span<const BlockPlans> plans, Extents extents,
                          std::span<const StageUnits> stages, const StructureOptions& options);

}  // namespace dse::frontend
