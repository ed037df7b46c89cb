#include "result_type.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "dse/ir/program/opcode_traits.hpp"
#include "ir/program/operation_fault.hpp"

namespace dse::ir::hlo {
namespace {

const Type& type_of(const Program& program, ValueId value) {
    return program.types[program.type_of(value)];
}

TypeId tuple_of(const InstructionDraft& draft, Program& program) {
    Type tuple;
    tuple.kind = Type::Kind::tuple;
    for (const ValueId operand : draft.operands) tuple.members.push_back(program.type_of(operand));
    return program.types.add(std::move(tuple));
}

TypeId with_element(TypeId type, ElementType element, Program& program) {
    Type changed = program.types[type];
    changed.element = element;
    return program.types.add(std::move(changed));
}

bool names(const Sizes& dimensions, std::size_t number) {
    return std::find(dimensions.begin(), dimensions.end(), static_cast<std::int64_t>(number)) !=
           dimensions.end();
}

TypeId product_type(const InstructionDraft& draft, const DotDimensions& dot, Program& program) {
    const Type& lhs = type_of(program, draft.operands[0]);
    const Type& rhs = type_of(program, draft.operands[1]);
    Type result;
    result.element = lhs.element;
    for (const std::int64_t d : dot.lhs_batch) result.sizes.push_back(lhs.sizes[static_cast<std::size_t>(d)]);
    for (std::size_t d = 0; d < lhs.sizes.size(); ++d)
        if (!names(dot.lhs_batch, d) && !names(dot.lhs_contracting, d)) result.sizes.push_back(lhs.sizes[d]);
    for (std::size_t d = 0; d < rhs.sizes.size(); ++d)
        if (!names(dot.rhs_batch, d) && !names(dot.rhs_contracting, d)) result.sizes.push_back(rhs.sizes[d]);
    return program.types.add(std::move(result));
}

std::optional<TypeId> member_type(const Type& tuple, std::int64_t number) {
    if (tuple.kind != Type::Kind::tuple || number < 0 ||
        static_cast<std::size_t>(number) >= tuple.members.size())
        return std::nullopt;
    return tuple.members[static_cast<std::size_t>(number)];
}

std::optional<TypeId> elementwise_type(const InstructionDraft& draft, Program& program) {
    const OpcodeTraits& known = traits(draft.opcode);
    if (draft.operands.size() <= known.pattern) return std::nullopt;
    const TypeId type = program.type_of(draft.operands[known.pattern]);
    return known.answers ? with_element(type, ElementType::pred, program) : type;
}

StatedOperation stated(const InstructionDraft& draft, std::span<const TypeId> results = {}) {
    return {draft.opcode, draft.operands, results, draft.called, draft.attribute};
}

}  // namespace

std::optional<TypeId> result_type(const InstructionDraft& draft, Program& program) {
    if (count_fault(stated(draft))) return std::nullopt;
    switch (traits(draft.opcode).result) {
        case ResultType::tuple:
            return tuple_of(draft, program);
        case ResultType::element:
            return member_type(type_of(program, draft.operands[0]), std::get<Index>(draft.attribute).number);
        case ResultType::product:
            if (ir::fault(stated(draft), program)) return std::nullopt;
            return product_type(draft, std::get<DotDimensions>(draft.attribute), program);
        case ResultType::elementwise:
            return elementwise_type(draft, program);
        case ResultType::first_operand:
            if (draft.operands.empty()) return std::nullopt;
            return program.type_of(draft.operands[0]);
        case ResultType::of_called:
            return program.type_of(program[draft.called[0]].results[0]);
        case ResultType::stated:
            break;
    }
    return std::nullopt;
}

std::optional<std::string> fault(const InstructionDraft& draft, TypeId type, const Program& program) {
    return ir::fault(stated(draft, std::span{&type, 1}), program);
}

}  // namespace dse::ir::hlo
