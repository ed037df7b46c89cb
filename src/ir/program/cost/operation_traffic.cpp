#include "dse/ir/program/cost/operation_traffic.hpp"

#include <array>
#include <cstddef>

#include "dse/ir/program/views.hpp"
#include "ir/program/cost/traffic_rules.hpp"

namespace dse::ir {
namespace traffic {
namespace {

constexpr std::array<Rule*, opcode_count> by_opcode{
#define DSE_OPCODE(name, family, fault, flops, traffic, ...) traffic,
#include "dse/ir/program/opcodes.def"
};

}  // namespace
}  // namespace traffic

double operand_bytes(const Program& program, const Operation& operation) {
    double bytes = 0;
    for (const ValueId operand : program.operands(operation))
        bytes += program.types.bytes(program.type_of(operand));
    return bytes;
}

Traffic operation_traffic(const Program& program, const Operation& operation) {
    // Programs of other compilers are counted like in XLA, which counts a reshape as a copy.
    if (program.language == Language::fx && is_view(program, operation)) return {};
    return traffic::by_opcode[static_cast<std::size_t>(operation.opcode)](program, operation);
}

}  // namespace dse::ir
