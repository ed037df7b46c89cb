#include "ir/partition/common_mesh.hpp"

#include <algorithm>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::ir::partition {
namespace {

/// Visits all shardings of a program, including those at the borders of its manual computations.
template <class SomeProgram, class Visit>
void each_sharding(SomeProgram& program, Visit visit) {
    for (auto& leaves : program.shardings)
        for (auto& sharding : leaves) visit(sharding);
    for (auto& attribute : program.attributes) {
        if (auto* resharding = std::get_if<Resharding>(&attribute)) visit(resharding->sharding);
        if (auto* manual = std::get_if<ManualComputation>(&attribute)) {
            for (auto& sharding : manual->in) visit(sharding);
            for (auto& sharding : manual->out) visit(sharding);
        }
    }
}

/// The meshes that shardings refer to, each once.
std::vector<const DeviceMesh*> named_meshes(const Program& program) {
    std::vector<const DeviceMesh*> found;
    each_sharding(program, [&](const Sharding& sharding) {
        if (!names_axes(sharding)) return;
        const DeviceMesh& mesh = program.meshes[sharding.mesh.index()];
        const bool known =
            std::any_of(found.begin(), found.end(), [&](const DeviceMesh* other) { return *other == mesh; });
        if (!known) found.push_back(&mesh);
    });
    return found;
}

void require_same_devices(const DeviceMesh& a, const DeviceMesh& b) {
    const auto refuse = [&](const char* why) {
        throw ModelError(
            fmt::format("meshes '{}' and '{}' of one program {}: capture the program after partitioning",
                        a.name, b.name, why));
    };
    if (a.device_count() != b.device_count()) refuse("are of different devices");
    if (a.devices != b.devices) refuse("have the same devices in different orders");
}

/// Adds the products of a mesh's leading axes: where it divides the sequence of all devices.
void add_cuts(const DeviceMesh& mesh, std::vector<std::int64_t>& cuts) {
    std::int64_t parts = 1;
    for (const DeviceMesh::Axis& axis : mesh.axes) cuts.push_back(parts *= axis.size);
}

void require_refinement(const std::vector<const DeviceMesh*>& meshes) {
    std::vector<std::int64_t> cuts;
    for (const DeviceMesh* mesh : meshes) add_cuts(*mesh, cuts);
    std::sort(cuts.begin(), cuts.end());
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
        if (cuts[i + 1] % cuts[i] != 0)
            throw ModelError(fmt::format(
                "the meshes of one program cut its devices into {} parts and into {}, of which neither "
                "divides the other: capture the program after partitioning",
                cuts[i], cuts[i + 1]));
    }
}

/// An axis of a mesh, or a part of one, as a factor of the sequence of all devices.
AxisRef in_row(const DeviceMesh& mesh, const AxisRef& axis) {
    std::int64_t before = axis.pre_size;
    for (std::uint32_t i = 0; i < axis.axis; ++i) before *= mesh.axes[i].size;
    return {0, before, axis.size};
}

void move(const DeviceMesh& mesh, std::vector<AxisRef>& axes) {
    for (AxisRef& axis : axes) axis = in_row(mesh, axis);
}

class Move {
  public:
    Move(Program& program, MeshId row) : program_{program}, row_{row} {}

    void run() {
        for (Attribute& attribute : program_.attributes) {
            auto* manual = std::get_if<ManualComputation>(&attribute);
            if (manual == nullptr) continue;
            move(program_.meshes[manual->mesh.index()], manual->manual_axes);
            manual->mesh = row_;
        }
        each_sharding(program_, [this](Sharding& sharding) { move_sharding(sharding); });
    }

  private:
    void move_sharding(Sharding& sharding) {
        if (!names_axes(sharding)) return;
        const DeviceMesh& mesh = program_.meshes[sharding.mesh.index()];
        for (Sharding::Dimension& dimension : sharding.dimensions) move(mesh, dimension.axes);
        move(mesh, sharding.replicated);
        move(mesh, sharding.unreduced);
        sharding.mesh = row_;
    }

    Program& program_;
    MeshId row_;
};

}  // namespace

bool names_axes(const Sharding& sharding) {
    return sharding.kind == Sharding::Kind::tiled &&
           (!sharding.replicated.empty() ||
            std::any_of(sharding.dimensions.begin(), sharding.dimensions.end(),
                        [](const Sharding::Dimension& dimension) { return !dimension.axes.empty(); }));
}

MeshId mesh_of(const Program& program) {
    std::optional<MeshId> found;
    each_sharding(program, [&](const Sharding& sharding) {
        if (!found && names_axes(sharding)) found = sharding.mesh;
    });
    if (!found) throw ModelError("the program names no sharding over devices: nothing to partition");
    return *found;
}

std::optional<Program> over_common_mesh(const Program& program) {
    const std::vector<const DeviceMesh*> meshes = named_meshes(program);
    if (meshes.size() < 2) return std::nullopt;
    for (const DeviceMesh* mesh : meshes) require_same_devices(*meshes.front(), *mesh);
    require_refinement(meshes);
    Program result = program;
    result.meshes.push_back(
        {"all devices", {{"devices", meshes.front()->device_count()}}, meshes.front()->devices});
    Move{result, MeshId{result.meshes.size() - 1}}.run();
    return result;
}

}  // namespace dse::ir::partition
