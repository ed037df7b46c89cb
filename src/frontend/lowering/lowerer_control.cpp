#include "lowerer.hpp"

namespace dse::frontend {

using ir::Opcode;
using ir::Operation;
using ir::Program;

void Lowerer::play_control(const Operation& operation) {
    switch (operation.opcode) {
        case Opcode::while_loop:
            return play_loop(operation);
        case Opcode::conditional:
            return play_conditional(operation);
        case Opcode::async_start:
            return play_async_start(operation);
        case Opcode::async_update: {
            const auto operands = program_.operands(operation);
            const auto found =
                operands.empty() ? under_way_.end() : under_way_.find(operands.front().index());
            const Leaves leaves =
                found == under_way_.end() ? values_.operand_leaves(operation) : found->second;
            values_.set_results(operation, leaves);
            under_way_[Program::result(operation).index()] = leaves;
            return;
        }
        case Opcode::async_done:
            return play_done(operation);
        default:
            return play_call(operation);
    }
}

void Lowerer::play_call(const Operation& operation) {
    const auto called = program_.called(operation);
    if (called.empty()) return play_kernel(operation);
    values_.set_results(operation, joined(play(called.front(), values_.operand_values(operation))));
}

void Lowerer::play_async_start(const Operation& operation) {
    const auto called = program_.called(operation);
    if (called.empty()) return pass_on(operation, {});
    const Leaves leaves = joined(play(called.front(), values_.operand_values(operation)));
    under_way_[Program::result(operation).index()] = leaves;
    values_.set_results(operation, leaves);
}

/// Lowers the branch with the most work; the arguments of branches follow the selecting operand.
void Lowerer::play_conditional(const Operation& operation) {
    const auto called = program_.called(operation);
    const auto operands = program_.operands(operation);
    if (called.empty()) return pass_on(operation, {});
    const std::size_t largest = branches_.of(called);
    Values arguments;
    // HLO passes one operand to each branch; regions of MLIR can use all values of the enclosing scope.
    if (operands.size() == called.size() + 1) arguments.push_back(values_[operands[largest + 1]]);
    values_.set_results(operation, joined(play(called[largest], arguments)));
}

}  // namespace dse::frontend
