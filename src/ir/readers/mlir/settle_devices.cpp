#include "ir/readers/mlir/settle_devices.hpp"

#include <algorithm>
#include <cstdint>

#include "ir/readers/hlo/device_count.hpp"

namespace dse::ir::mlir {
namespace {

bool all_communication_is(const Program& program, GroupMode mode) {
    bool any = false;
    for (const Attribute& attribute : program.attributes) {
        const auto* communication = std::get_if<Communication>(&attribute);
        if (communication == nullptr) continue;
        if (communication->mode != mode) return false;
        any = true;
    }
    return any;
}

// Whether some value is partitioned, automatically or manually: shapes outside of manual computations are
// then global.
bool states_layouts(const Program& program) {
    const auto cuts = [](const Sharding& sharding) {
        return std::any_of(sharding.dimensions.begin(), sharding.dimensions.end(),
                           [](const Sharding::Dimension& dimension) { return !dimension.axes.empty(); });
    };
    for (const auto& leaves : program.shardings)
        if (std::any_of(leaves.begin(), leaves.end(), cuts)) return true;
    return std::any_of(program.attributes.begin(), program.attributes.end(), [](const Attribute& attribute) {
        return std::holds_alternative<ManualComputation>(attribute) ||
               std::holds_alternative<Resharding>(attribute);
    });
}

}  // namespace

void settle_devices(Program& program) {
    if (program.devices() == 1) {
        std::int64_t& devices =
            all_communication_is(program, GroupMode::cross_replica) ? program.replicas : program.partitions;
        devices = hlo::devices_named(program);
        for (const DeviceMesh& mesh : program.meshes) devices = std::max(devices, mesh.device_count());
    }
    program.partitioned = program.devices() == 1 || !states_layouts(program);
}

}  // namespace dse::ir::mlir
