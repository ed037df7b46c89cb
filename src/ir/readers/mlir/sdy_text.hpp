#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dse/ir/program/program.hpp"
#include "ir/readers/mlir/attribute_text.hpp"
#include "ir/readers/mlir/tokens.hpp"

namespace dse::ir::mlir {

/// Reads Shardy's meshes and shardings. Every function reads at the position of the tokens and leaves them
/// after what it has read.
/// \throws InputError
/// Source: Shardy, sdy dialect, "Attributes"
class SdyText {
  public:
    SdyText(Program& program, const Aliases& aliases) : program_{program}, aliases_{aliases} {}

    /// Reads `<["x"=2, "y"=4], device_ids=[…]>`, the `sdy.mesh` with this name.
    MeshId define(std::string_view name, Tokens& tokens);
    /// Reads meshes given as attributes: `{mesh = #sdy.mesh<["x"=2]>, …}`.
    void define_all(Tokens& tokens);
    /// `@mesh`, or an inlined mesh: `mesh<["x"=2]>`.
    MeshId mesh_at(Tokens& tokens);

    /// `#sdy.sharding<@mesh, [{"x"}, {"y", ?}p1], replicated={…}, unreduced={…}>`, or the part from '<' on.
    Sharding sharding(Tokens& tokens);
    /// `#sdy.sharding_per_value<[<…>, <…>]>`, `[<…>, <…>]`, or one sharding.
    std::vector<Sharding> shardings(Tokens& tokens);
    /// `{"x", "y":(2)4}`
    std::vector<AxisRef> axes(Tokens& tokens, MeshId mesh);
    /// StableHLO's `[#stablehlo.axis_ref<name = "x", sub_axis_info = (2)4>, …]`, or `["x"]`.
    std::vector<AxisRef> axis_references(Tokens& tokens, MeshId mesh);

  private:
    Sharding::Dimension dimension(Tokens& tokens, MeshId mesh);
    AxisRef axis(Tokens& tokens, MeshId mesh);
    AxisRef whole_axis(Tokens& tokens, MeshId mesh);
    AxisRef sub_axis(Tokens& tokens, AxisRef whole);
    DeviceMesh mesh_body(Tokens& tokens);
    void follow_alias(Tokens& tokens);

    Program& program_;
    const Aliases& aliases_;
    std::map<std::string, MeshId, std::less<>> named_;
};

}  // namespace dse::ir::mlir
