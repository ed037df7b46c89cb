#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "ir/program/cost/operation_flops.hpp"
#include "ir/written_program.hpp"

namespace dse::ir::test {

/// What one operation takes, whose operands and first result are arrays of these sizes.
inline Cost flop_count(Opcode opcode, std::initializer_list<Sizes> operands, Sizes result,
                       Attribute attribute = std::monostate{}, const std::vector<Cost>& functions = {}) {
    WrittenProgram p;
    std::vector<ValueId> arguments;
    for (const Sizes& sizes : operands) arguments.push_back(p.argument(sizes));
    const ValueId made = p.operation(opcode, arguments, std::move(result), std::move(attribute));
    return operation_flops(p.program, *p.program.definition(made), functions);
}

/// Of a function that a reduction and the like applies.
inline Cost function_cost(double flops, double transcendentals) {
    Cost cost;
    cost.flops = flops;
    cost.transcendentals = transcendentals;
    return cost;
}

}  // namespace dse::ir::test
