#include "ir/program/operation_fault.hpp"

#include <array>
#include <cstddef>

#include <fmt/format.h>

#include "dse/ir/program/opcode_traits.hpp"
#include "ir/program/faults/shape_faults.hpp"

namespace dse::ir {
namespace {

constexpr std::array<faults::ShapeCheck*, opcode_count> checks{
#define DSE_OPCODE(name, family, fault, ...) faults::fault,
#include "dse/ir/program/opcodes.def"
};

bool are_enough(const StatedOperation& operation, const OpcodeTraits& known) {
    return operation.operands.size() >= known.operands.fewest &&
           operation.operands.size() <= known.operands.most && operation.called.size() >= known.called;
}

// Whether operands and result of a single type are always valid.
bool keeps_type(const OpcodeTraits& known) {
    const bool elementwise =
        known.family == OpcodeClass::elementwise || known.family == OpcodeClass::transcendental;
    return elementwise && !known.answers;
}

// Types are stored once each, so that this check suffices for most operations.
bool of_one_array_type(const StatedOperation& operation, const Program& program) {
    if (operation.results.size() != 1) return false;
    const TypeId type = operation.results[0];
    for (const ValueId operand : operation.operands)
        if (program.type_of(operand) != type) return false;
    return program.types[type].kind == Type::Kind::array;
}

}  // namespace

Fault count_fault(const StatedOperation& operation) {
    const OpcodeTraits& known = traits(operation.opcode);
    if (are_enough(operation, known)) return std::nullopt;
    const std::size_t given = operation.operands.size();
    if (given < known.operands.fewest)
        return fmt::format("it takes at least {} operands, but has {}", known.operands.fewest, given);
    if (given > known.operands.most)
        return fmt::format("it takes {} operands, but has {}", known.operands.most, given);
    return fmt::format("it takes {} computations, but has {}", known.called, operation.called.size());
}

Fault fault(const StatedOperation& operation, const Program& program) {
    const OpcodeTraits& known = traits(operation.opcode);
    if (!are_enough(operation, known)) return count_fault(operation);
    faults::ShapeCheck* const check = checks[static_cast<std::size_t>(operation.opcode)];
    if (check == nullptr || (keeps_type(known) && of_one_array_type(operation, program))) return std::nullopt;
    return check({operation, program});
}

}  // namespace dse::ir
