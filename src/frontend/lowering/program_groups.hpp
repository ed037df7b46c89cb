#pragma once

#include <map>
#include <optional>

#include "dse/graph/mesh.hpp"
#include "dse/ir/program/program.hpp"
#include "frontend/lowering/mesh_axes.hpp"

namespace dse::frontend {

/// Who meets whom in the collectives of a program, as axes of one mesh. A program has many collectives and
/// few ways in which devices meet: each is looked at once, since it names every device.
class ProgramGroups {
  public:
    /// \throws ModelError where groups are no axes of a grid (see MeshAxes)
    explicit ProgramGroups(const ir::Program& program);

    /// Sizes and order of the axes. \see MeshAxes::mesh
    [[nodiscard]] graph::Mesh mesh() const { return mesh_->mesh(); }
    /// \pre the operation begins a collective of the program
    [[nodiscard]] graph::AxisSet axes_of(const ir::Operation& operation) const;

  private:
    std::map<ir::AttributeId, graph::AxisSet> axes_;
    std::optional<MeshAxes> mesh_;
};

}  // namespace dse::frontend
