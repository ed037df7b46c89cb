#include "loop_slices.hpp"

#include <algorithm>

namespace dse::ir {

LoopSlices::LoopSlices(const Program& program, const Operation& loop)
    : program_{program},
      body_{program.called(loop)[1]},
      counter_(computation().arguments.size(), 0),
      known_(computation().operations.size(), 0) {
    for (std::size_t i = 0; i < counter_.size(); ++i) {
        const bool scalar = program.types.elements(program.type_of(computation().arguments[i])) == 1.0;
        counter_[i] = scalar && !is_invariant(i) ? 1 : 0;
    }
    // A scalar that depends on anything else is not a counter, and neither is a scalar that depends on it.
    for (bool changed = true; changed;) {
        find_known();
        changed = false;
        for (std::size_t i = 0; i < counter_.size(); ++i) {
            if (counter_[i] == 0 || is_known(computation().results[i])) continue;
            counter_[i] = 0;
            changed = true;
        }
    }
}

void LoopSlices::find_known() {
    std::fill(known_.begin(), known_.end(), 0);
    const std::vector<Operation>& operations = computation().operations;
    for (std::size_t i = 0; i < operations.size(); ++i)
        known_[i] = only_moves(operations[i]) && are_known(program_.operands(operations[i])) ? 1 : 0;
}

bool LoopSlices::only_moves(const Operation& operation) const {
    if (operation.results.count != 1) return false;
    switch (opcode_class(operation.opcode)) {
        case OpcodeClass::elementwise:
        case OpcodeClass::movement:
            return operation.called.count == 0;
        case OpcodeClass::bookkeeping:
            return operation.opcode == Opcode::constant;
        case OpcodeClass::control: {
            if (operation.opcode != Opcode::fusion || operation.called.count != 1) return false;
            const auto& fused = program_[program_.called(operation).front()].operations;
            return std::all_of(fused.begin(), fused.end(), [this](const Operation& inner) {
                return inner.opcode == Opcode::parameter || only_moves(inner);
            });
        }
        default:
            return false;
    }
}

const Operation* LoopSlices::maker(ValueId value) const {
    return program_[value].owner == body_ ? program_.definition(value) : nullptr;
}

bool LoopSlices::is_known(ValueId value) const {
    const Value& made = program_[value];
    if (made.owner != body_) return true;
    if (made.operation >= 0) return known_[static_cast<std::size_t>(made.operation)] != 0;
    return counter_[made.number] != 0 || is_invariant(made.number);
}

bool LoopSlices::are_known(std::span<const ValueId> values) const {
    return std::all_of(values.begin(), values.end(), [this](ValueId value) { return is_known(value); });
}

bool LoopSlices::can_look_ahead(ComputationId condition) const {
    for (const Operation& operation : program_[condition].operations) {
        for (const ValueId operand : program_.operands(operation)) {
            const Value& value = program_[operand];
            const bool carried = value.owner == condition && value.operation < 0;
            if (carried && !is_counter(value.number) && !is_invariant(value.number)) return false;
        }
    }
    return true;
}

bool LoopSlices::is_free(const Operation& operation) const {
    if (operation.opcode == Opcode::constant) return true;
    return operation.results.count == 1 &&
           program_.types.elements(program_.type_of(Program::result(operation))) <= 1.0;
}

}  // namespace dse::ir
