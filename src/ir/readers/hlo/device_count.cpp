#include "device_count.hpp"

#include <algorithm>

namespace dse::ir::hlo {
namespace {

bool cuts(const std::vector<Sharding>& leaves) {
    return std::any_of(leaves.begin(), leaves.end(), [](const Sharding& leaf) {
        return leaf.kind == Sharding::Kind::tiled &&
               std::any_of(leaf.dimensions.begin(), leaf.dimensions.end(),
                           [](const Sharding::Dimension& dimension) { return !dimension.axes.empty(); });
    });
}

bool is_border(const Program& program, const Computation& computation, const Operation& operation) {
    if (&computation != &program[program.entry]) return false;
    return operation.opcode == Opcode::parameter || Program::result(operation) == computation.results[0];
}

}  // namespace

std::int64_t devices_named(const Program& program) {
    std::int64_t largest = 0;
    for (const Attribute& attribute : program.attributes) {
        const auto* communication = std::get_if<Communication>(&attribute);
        if (communication == nullptr) continue;
        for (const auto& [source, target] : communication->pairs)
            largest = std::max({largest, source, target});
        largest = std::max(largest, communication->groups.last_device());
    }
    return largest + 1;
}

bool is_partitioned(const Program& program) {
    if (program.devices() == 1) return true;
    bool border_cut = false;
    bool communicates = false;
    for (const Computation& computation : program.computations) {
        for (const Operation& operation : computation.operations) {
            communicates = communicates || opcode_class(operation.opcode) == OpcodeClass::communication ||
                           operation.opcode == Opcode::partition_id;
            const bool cut = cuts(program.shardings[program[Program::result(operation)].sharding.index()]);
            if (!cut) continue;
            if (!is_border(program, computation, operation)) return false;
            border_cut = true;
        }
    }
    return communicates || !border_cut;
}

}  // namespace dse::ir::hlo
