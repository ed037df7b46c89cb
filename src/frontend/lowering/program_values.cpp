#include "program_values.hpp"

#include <algorithm>

namespace dse::frontend {

using ir::Operation;
using ir::Program;
using ir::ValueId;

namespace {

void append_leaf_types(const Program& program, ir::TypeId type, std::vector<ir::TypeId>& types) {
    const ir::Type& found = program.types[type];
    if (found.kind != ir::Type::Kind::tuple) {
        types.push_back(type);
        return;
    }
    for (const ir::TypeId member : found.members) append_leaf_types(program, member, types);
}

}  // namespace

std::vector<ir::TypeId> leaf_types(const Program& program, ir::TypeId type) {
    std::vector<ir::TypeId> types;
    append_leaf_types(program, type, types);
    return types;
}

Leaves joined(const std::vector<Leaves>& values) {
    Leaves result;
    for (const Leaves& leaves : values) result.insert(result.end(), leaves.begin(), leaves.end());
    return result;
}

Leaves ProgramValues::operand_leaves(const Operation& operation) const {
    return joined(operand_values(operation));
}

std::vector<Leaves> ProgramValues::operand_values(const Operation& operation) const {
    std::vector<Leaves> values;
    for (const ValueId operand : program_.operands(operation)) values.push_back((*this)[operand]);
    return values;
}

void ProgramValues::set_results(const Operation& operation, const Leaves& leaves) {
    auto next = leaves.begin();
    for (std::size_t i = 0; i < operation.results.count; ++i) {
        const ValueId result = Program::result(operation, i);
        const std::size_t wanted = program_.types.leaves(program_.type_of(result));
        const auto there = std::min(wanted, static_cast<std::size_t>(leaves.end() - next));
        Leaves& value = (*this)[result];
        value.assign(next, next + static_cast<std::ptrdiff_t>(there));
        value.resize(wanted);
        next += static_cast<std::ptrdiff_t>(there);
    }
}

}  // namespace dse::frontend
