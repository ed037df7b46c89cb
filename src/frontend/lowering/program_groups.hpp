#pragma once

#include <map>
#include <optional>

#include "dse/graph/mesh.hpp"
#include "dse/ir/program/program.hpp"
#include "frontend/lowering/mesh_axes.hpp"

namespace dse::frontend {

/// The groups of a program's collectives as axes of one mesh. Many collectives share few distinct groupings;
/// each grouping lists every device and is therefore processed only once.
class ProgramGroups {
  public:
    /// \throws ModelError if groups are not axes of a grid (see MeshAxes)
    explicit ProgramGroups(const ir::Program& program);

    /// Sizes and order of the axes. \see MeshAxes::mesh
    [[nodiscard]] graph::Mesh mesh() const { return mesh_->mesh(); }
    /// \pre the operation starts a collective of the program
    [[nodiscard]] graph::AxisSet axes_of(const ir::Operation& operation) const;

  private:
    std::map<ir::AttributeId, graph::AxisSet> axes_;
    std::optional<MeshAxes> mesh_;
};

}  // namespace dse::frontend
