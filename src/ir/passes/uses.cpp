#include "uses.hpp"

namespace dse::ir {

Uses::Uses(const Program& program) : places_(program.values.size()) {
    for (std::size_t c = 0; c < program.computations.size(); ++c) {
        const ComputationId id{c};
        const Computation& computation = program[id];
        for (std::size_t o = 0; o < computation.operations.size(); ++o) {
            // A terminator reads the results of the computation.
            if (computation.operations[o].opcode == Opcode::terminator) continue;
            for (const ValueId operand : program.operands(computation.operations[o]))
                places_[operand.index()].push_back({id, static_cast<std::int32_t>(o)});
        }
        for (const ValueId result : computation.results) places_[result.index()].push_back({id, -1});
    }
}

}  // namespace dse::ir
