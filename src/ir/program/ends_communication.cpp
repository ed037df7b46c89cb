#include "dse/ir/program/ends_communication.hpp"

namespace dse::ir {

bool ends_communication(Opcode opcode) {
    switch (opcode) {
        case Opcode::all_reduce_done:
        case Opcode::all_gather_done:
        case Opcode::collective_permute_done:
        case Opcode::recv_done:
        case Opcode::async_done:
            return true;
        default:
            return false;
    }
}

}  // namespace dse::ir
