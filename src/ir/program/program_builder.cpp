#include "dse/ir/program/program_builder.hpp"

#include <utility>

#include "dse/base/check.hpp"

namespace dse::ir {
namespace {

template <class T>
Range append_to(std::vector<T>& list, std::span<const T> added) {
    const auto first = static_cast<std::uint32_t>(list.size());
    list.insert(list.end(), added.begin(), added.end());
    return {first, static_cast<std::uint32_t>(added.size())};
}

}  // namespace

AttributeId ProgramBuilder::attribute(Attribute attribute) {
    if (std::holds_alternative<std::monostate>(attribute)) return no_attribute;
    program_.attributes.push_back(std::move(attribute));
    return AttributeId{program_.attributes.size() - 1};
}

ShardingId ProgramBuilder::sharding(std::vector<Sharding> leaves) {
    if (leaves.empty()) return no_sharding;
    program_.shardings.push_back(std::move(leaves));
    return ShardingId{program_.shardings.size() - 1};
}

ComputationId ProgramBuilder::computation(std::string_view name, std::uint32_t line) {
    Computation added;
    added.name = this->name(name);
    added.line = line;
    program_.computations.push_back(std::move(added));
    return ComputationId{program_.computations.size() - 1};
}

ValueId ProgramBuilder::argument(ComputationId computation, TypeId type, ShardingId sharding) {
    auto& arguments = program_.computations[computation.index()].arguments;
    const ValueId id{program_.values.size()};
    program_.values.push_back(
        {type, sharding, computation, -1, static_cast<std::uint32_t>(arguments.size())});
    arguments.push_back(id);
    return id;
}

ProgramBuilder::Draft ProgramBuilder::like(const Operation& operation) {
    Draft draft;
    draft.opcode = operation.opcode;
    draft.name = operation.name;
    draft.label = operation.label;
    draft.attribute = operation.attribute;
    draft.line = operation.line;
    draft.repeats = operation.repeats;
    draft.blocks = operation.blocks;
    draft.model_share = operation.model_share;
    return draft;
}

Operation& ProgramBuilder::append(ComputationId computation, const Draft& draft) {
    auto& operations = program_.computations[computation.index()].operations;
    Operation added;
    added.opcode = draft.opcode;
    added.name = draft.name;
    added.label = draft.label;
    added.operands = append_to(program_.operand_list, draft.operands);
    added.called = append_to(program_.called_list, draft.called);
    added.attribute = draft.attribute;
    added.line = draft.line;
    added.repeats = draft.repeats;
    added.blocks = draft.blocks;
    added.model_share = draft.model_share;
    added.results = {static_cast<std::uint32_t>(program_.values.size()),
                     static_cast<std::uint32_t>(draft.results.size())};
    const auto number = static_cast<std::int32_t>(operations.size());
    std::uint32_t result = 0;
    for (const TypeId type : draft.results)
        program_.values.push_back({type, no_sharding, computation, number, result++});
    return operations.emplace_back(added);
}

ValueId ProgramBuilder::value(ComputationId computation, const Draft& draft) {
    DSE_EXPECT(draft.results.size() == 1);
    return Program::result(append(computation, draft));
}

void ProgramBuilder::results(ComputationId computation, std::span<const ValueId> results) {
    program_.computations[computation.index()].results.assign(results.begin(), results.end());
}

}  // namespace dse::ir
