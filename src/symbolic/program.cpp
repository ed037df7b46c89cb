#include "symbolic/program.hpp"

#include "dse/base/check.hpp"

namespace dse::symbolic {

double Program::run(std::span<const double> values) const noexcept {
    DSE_EXPECT(slots.empty() || slots.back() < values.size());
    double stack[stack_limit];  // NOLINT: left uninitialised on purpose, a few entries are used
    double* top = stack;        // one past the last value
    for (const Instruction& instruction : instructions) {
        switch (instruction.code) {
            case Instruction::Code::number:
                *top++ = instruction.number;
                break;
            case Instruction::Code::slot:
                *top++ = values[instruction.slot];
                break;
            case Instruction::Code::operation: {
                const std::size_t operands = operands_of(instruction.operation);
                top -= operands;
                const double second = operands > 1 ? top[1] : 0.0;
                const double third = operands > 2 ? top[2] : 0.0;
                *top = apply(instruction.operation, top[0], second, third);
                ++top;
                break;
            }
        }
    }
    return stack[0] + 0.0;  // -0 becomes 0, so that each value has one representation
}

}  // namespace dse::symbolic
