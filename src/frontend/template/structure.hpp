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

/// A block of the model that stands `count` times in a row in one chunk of a stage.
struct Unit {
    std::size_t block{0};
    std::int64_t count{1};
    friend bool operator==(const Unit&, const Unit&) = default;
};

/// What the ranks of a stage hold: the units of every chunk.
using StageUnits = std::vector<std::vector<Unit>>;

/// The choices that decide which nodes a graph has, as opposed to how large they are.
struct StructureOptions {
    graph::AxisSet active;  ///< axes of more than one device
    std::uint32_t stages{1};
    std::uint32_t chunks{1};
    graph::SoftwareStack stack;
    bool splits_backward{false};  ///< weight gradients are tasks of their own
    graph::Placement placement{graph::Placement::cyclic};
    bool forward_only{false};  ///< inference
    std::uint32_t steps{1};    ///< of inference, one after the other
};

/// A graph without numbers, and the formulas that give them.
struct Structure {
    graph::Graph graph;
    std::vector<WorkFormula> works;      ///< by WorkId
    std::vector<BufferFormula> buffers;  ///< by BufferId
    Extents extents;
    graph::StreamTable streams{};

    /// A name for nodes, as Item::name has it.
    graph::NameId add_name(std::string name) {
        if (graph.names.empty()) graph.names.emplace_back();
        graph.names.push_back(std::move(name));
        return graph::NameId(graph.names.size() - 1);
    }
};

/// \param blocks    the model's distinct blocks
/// \param shardings one a block
/// \param plans     one a block
/// \param extents   those that the plans refer to
/// \param stages    units of every pipeline stage
Structure build_structure(std::span<const Block> blocks, std::span<const Sharding> shardings,
                          std::span<const BlockPlans> plans, Extents extents,
                          std::span<const StageUnits> stages, const StructureOptions& options);

}  // namespace dse::frontend
