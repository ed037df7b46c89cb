#include "in_place.hpp"

#include "program_values.hpp"

namespace dse::frontend {

using ir::Opcode;
using ir::Operation;
using ir::Program;
using ir::ValueId;

namespace {

void append(const Program& program, ValueId value, std::vector<ir::TypeId>& types) {
    const auto more = leaf_types(program, program.type_of(value));
    types.insert(types.end(), more.begin(), more.end());
}

std::vector<ir::TypeId> result_leaf_types(const Program& program) {
    std::vector<ir::TypeId> types;
    for (const ValueId result : program[program.entry].results) append(program, result, types);
    return types;
}

/// Index of a value among the arguments of a fused computation; none if it is not an argument.
std::optional<std::size_t> argument_number(const Program& program, const ir::Computation& body,
                                           ValueId value) {
    for (std::size_t i = 0; i < body.arguments.size(); ++i) {
        if (body.arguments[i] == value) return i;
    }
    const Operation* parameter = program.definition(value);
    if (parameter == nullptr || parameter->opcode != Opcode::parameter) return std::nullopt;
    const auto* index = program.attribute_if<ir::Index>(*parameter);
    if (index == nullptr) return std::nullopt;
    return static_cast<std::size_t>(index->number);
}

}  // namespace

std::optional<std::size_t> operand_written_over(const Program& program, const Operation& operation) {
    const auto operands = program.operands(operation);
    if (operands.empty()) return std::nullopt;
    if (operation.opcode == Opcode::dynamic_update_slice || operation.opcode == Opcode::scatter) return 0;
    if (operation.opcode != Opcode::fusion || program.called(operation).empty()) return std::nullopt;
    const ir::Computation& body = program[program.called(operation).front()];
    if (body.results.size() != 1) return std::nullopt;
    const Operation* root = program.definition(body.results.front());
    if (root == nullptr || root->opcode != Opcode::dynamic_update_slice) return std::nullopt;
    const auto number = argument_number(program, body, program.operands(*root).front());
    return number && *number < operands.size() ? number : std::nullopt;
}

std::vector<ir::TypeId> argument_leaf_types(const Program& program) {
    const ir::Computation& entry = program[program.entry];
    std::vector<ir::TypeId> types;
    for (const ValueId argument : entry.arguments) append(program, argument, types);
    if (!entry.arguments.empty()) return types;
    for (const Operation& operation : entry.operations) {
        if (operation.opcode == Opcode::parameter) append(program, Program::result(operation), types);
    }
    return types;
}

std::vector<std::size_t> results_in_arguments(const Program& program) {
    const auto arguments = argument_leaf_types(program);
    const auto results = result_leaf_types(program);
    std::vector<char> taken(results.size(), 0);
    std::vector<std::size_t> found;
    for (const ir::BufferAlias& alias : program.aliases) {
        std::size_t result = alias.result;
        if (alias.result == ir::BufferAlias::any_result && alias.argument < arguments.size()) {
            for (result = 0; result < results.size(); ++result) {
                if (taken[result] == 0 && results[result] == arguments[alias.argument]) break;
            }
        }
        if (result >= results.size()) continue;
        taken[result] = 1;
        found.push_back(result);
    }
    return found;
}

}  // namespace dse::frontend
