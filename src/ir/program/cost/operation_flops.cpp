#include "ir/program/cost/operation_flops.hpp"

#include <array>
#include <cstddef>

#include "ir/program/cost/flop_rules.hpp"

namespace dse::ir {
namespace flops {
namespace {

constexpr std::array<Rule*, opcode_count> by_opcode{
#define DSE_OPCODE(name, family, fault, flops, ...) flops,
#include "dse/ir/program/opcodes.def"
};

}  // namespace
}  // namespace flops

Cost operation_flops(const Program& program, const Operation& operation, std::span<const Cost> functions) {
    flops::Rule* const rule = flops::by_opcode[static_cast<std::size_t>(operation.opcode)];
    return rule == nullptr ? Cost{} : rule({program, operation, functions});
}

bool is_complex_product(const Program& program, const Operation& operation) {
    const OpcodeClass family = opcode_class(operation.opcode);
    if (family != OpcodeClass::contraction && family != OpcodeClass::foreign) return false;
    const auto operands = program.operands(operation);
    const auto is_complex = [&](ValueId value) {
        return number_kind(program.types[program.type_of(value)].element) == NumberKind::complex;
    };
    return operands.size() >= 2 && is_complex(operands[0]) && is_complex(operands[1]);
}

}  // namespace dse::ir
