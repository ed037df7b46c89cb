#include "dse/ir/passes/blocking_collectives.hpp"

namespace dse::ir {

Program block_collectives(Program program) {
    for (Computation& computation : program.computations)
        for (Operation& operation : computation.operations)
            operation.blocks = opcode_class(operation.opcode) == OpcodeClass::communication;
    return program;
}

}  // namespace dse::ir
