#include "dse/ir/program/views.hpp"

namespace dse::ir {

bool is_view(const Program& program, const Operation& operation) {
    switch (operation.opcode) {
        case Opcode::reshape:
        case Opcode::dynamic_reshape:
        case Opcode::bitcast:
        case Opcode::bitcast_convert:
        case Opcode::view:
        case Opcode::expand:
        case Opcode::get_dimension_size:
        case Opcode::set_dimension_size:
            return true;
        case Opcode::slice:
        case Opcode::transpose:
            return program.language == Language::fx;
        default:
            return false;
    }
}

}  // namespace dse::ir
