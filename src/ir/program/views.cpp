#include "dse/ir/program/views.hpp"

#include "dse/ir/program/opcode_traits.hpp"

namespace dse::ir {

bool is_view(const Program& program, const Operation& operation) {
    const View view = traits(operation.opcode).view;
    return view == View::always || (view == View::of_fx && program.language == Language::fx);
}

}  // namespace dse::ir
