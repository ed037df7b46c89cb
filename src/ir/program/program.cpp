#include "dse/ir/program/program.hpp"

#include <array>

#include "dse/base/check.hpp"

namespace dse::ir {
namespace {

void validate_values(const Program& program, ComputationId id) {
    const Computation& computation = program[id];
    for (std::size_t i = 0; i < computation.arguments.size(); ++i) {
        DSE_REQUIRE(computation.arguments[i].index() < program.values.size());
        DSE_REQUIRE(program[computation.arguments[i]].owner == id);
    }
    for (std::size_t o = 0; o < computation.operations.size(); ++o) {
        const Range results = computation.operations[o].results;
        DSE_REQUIRE(std::size_t{results.first} + results.count <= program.values.size());
        for (std::size_t i = 0; i < results.count; ++i) {
            const Value& value = program.values[results.first + i];
            DSE_REQUIRE(value.owner == id && value.operation == static_cast<std::int32_t>(o));
            DSE_REQUIRE(value.type.index() < program.types.size());
        }
    }
}

void validate_lists(const Program& program, const Operation& operation) {
    DSE_REQUIRE(std::size_t{operation.operands.first} + operation.operands.count <=
                program.operand_list.size());
    DSE_REQUIRE(std::size_t{operation.called.first} + operation.called.count <= program.called_list.size());
    DSE_REQUIRE(operation.attribute.index() < program.attributes.size());
    DSE_REQUIRE(operation.name.index() < program.names.size());
    for (const ValueId operand : program.operands(operation))
        DSE_REQUIRE(operand.index() < program.values.size());
    for (const ComputationId called : program.called(operation))
        DSE_REQUIRE(called.index() < program.computations.size());
}

}  // namespace

std::string_view name(Language language) {
    static constexpr std::array<std::string_view, 3> names{"HLO", "MLIR", "FX"};
    return names[static_cast<std::size_t>(language)];
}

Program::Program() : attributes(1), shardings(1) {
    names.add("");
}

const Operation* Program::definition(ValueId id) const {
    const Value& value = (*this)[id];
    if (value.operation < 0) return nullptr;
    return &(*this)[value.owner].operations[static_cast<std::size_t>(value.operation)];
}

void validate(const Program& program) {
    DSE_REQUIRE(program.entry.index() < program.computations.size());
    for (std::size_t c = 0; c < program.computations.size(); ++c) {
        validate_values(program, ComputationId{c});
        for (const Operation& operation : program.computations[c].operations)
            validate_lists(program, operation);
        for (const ValueId result : program.computations[c].results)
            DSE_REQUIRE(result.index() < program.values.size());
    }
}

}  // namespace dse::ir
