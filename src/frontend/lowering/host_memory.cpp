#include "host_memory.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "dse/base/check.hpp"
#include "frontend/lowering/kernel.hpp"

namespace dse::frontend {
namespace {

using graph::CopyDirection;
using ir::Opcode;
using ir::Operation;
using ir::Program;

bool on_host(const Program& program, ir::ValueId value) {
    const ir::Type& type = program.types[program.type_of(value)];
    if (type.kind == ir::Type::Kind::tuple) {
        // In the tuple of a copy-start, the target is first.
        return !type.members.empty() &&
               program.types[type.members.front()].memory_space == ir::host_memory_space;
    }
    return type.memory_space == ir::host_memory_space;
}

bool may_copy(Opcode opcode) {
    return opcode == Opcode::copy || opcode == Opcode::copy_start || opcode == Opcode::dynamic_slice ||
           opcode == Opcode::dynamic_update_slice || opcode == Opcode::slice;
}

std::optional<CopyDirection> direction_of(const Program& program, const Operation& operation) {
    if (const auto* call = program.attribute_if<ir::ForeignCall>(operation)) {
        const std::string_view target = program.text(call->target);
        if (target == "MoveToHost") return CopyDirection::to_host;
        if (target == "MoveToDevice") return CopyDirection::to_device;
        return std::nullopt;
    }
    const auto operands = program.operands(operation);
    if (!may_copy(operation.opcode) || operands.empty() || operation.results.count == 0) return std::nullopt;
    // An update copies its second operand into the first.
    const bool updates = operation.opcode == Opcode::dynamic_update_slice && operands.size() > 1;
    const bool from = on_host(program, operands[updates ? 1 : 0]);
    const bool to = on_host(program, Program::result(operation));
    if (from == to) return std::nullopt;
    return to ? CopyDirection::to_host : CopyDirection::to_device;
}

}  // namespace

bool crosses_to_host(const Program& program, const Operation& operation) {
    return direction_of(program, operation).has_value();
}

graph::Copy copy_of(const Program& program, const Operation& operation) {
    const auto direction = direction_of(program, operation);
    DSE_REQUIRE(direction.has_value());
    const auto operands = program.operands(operation);
    const bool updates = operation.opcode == Opcode::dynamic_update_slice;
    const bool slices = operation.opcode == Opcode::dynamic_slice || operation.opcode == Opcode::slice;
    const ir::ValueId moved = updates ? operands[1] : slices ? Program::result(operation) : operands.front();
    return {Bytes{program.types.bytes(program.type_of(moved))}, *direction};
}

}  // namespace dse::frontend
