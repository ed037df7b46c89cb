#include "result_type.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

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
    const std::size_t pattern = draft.opcode == Opcode::select || draft.opcode == Opcode::clamp ? 1 : 0;
    if (draft.operands.size() <= pattern || draft.opcode == Opcode::convert) return std::nullopt;
    const TypeId type = program.type_of(draft.operands[pattern]);
    const bool boolean = draft.opcode == Opcode::compare || draft.opcode == Opcode::is_finite;
    return boolean ? with_element(type, ElementType::pred, program) : type;
}

std::size_t fewest_operands(Opcode opcode) {
    switch (opcode) {
        case Opcode::select:
        case Opcode::clamp:
        case Opcode::select_and_scatter:
            return 3;
        case Opcode::scatter:
            return 3;
        case Opcode::dot:
        case Opcode::ragged_dot:
        case Opcode::scaled_dot:
        case Opcode::convolution:
        case Opcode::triangular_solve:
        case Opcode::gather:
        case Opcode::dynamic_update_slice:
        case Opcode::reduce:
        case Opcode::reduce_window:
        case Opcode::compare:
        case Opcode::pad:
            return 2;
        case Opcode::get_tuple_element:
        case Opcode::while_loop:
        case Opcode::conditional:
        case Opcode::cholesky:
        case Opcode::fft:
        case Opcode::sort:
        case Opcode::slice:
        case Opcode::dynamic_slice:
        case Opcode::broadcast:
        case Opcode::reshape:
        case Opcode::transpose:
        case Opcode::async_update:
        case Opcode::async_done:
            return 1;
        default:
            return 0;
    }
}

/// How many computations it calls, at least.
std::size_t fewest_called(Opcode opcode) {
    switch (opcode) {
        case Opcode::while_loop:
        case Opcode::select_and_scatter:
            return 2;
        case Opcode::fusion:
        case Opcode::call:
        case Opcode::composite:
        case Opcode::conditional:
        case Opcode::async_start:
            return 1;
        default:
            return 0;
    }
}

bool within(const Sizes& dimensions, const Type& type) {
    return std::all_of(dimensions.begin(), dimensions.end(), [&type](std::int64_t d) {
        return d >= 0 && static_cast<std::size_t>(d) < type.sizes.size();
    });
}

std::optional<std::string> dot_fault(const InstructionDraft& draft, const DotDimensions& dot,
                                     const Program& program) {
    const Type& lhs = type_of(program, draft.operands[0]);
    const Type& rhs = type_of(program, draft.operands[1]);
    if (!within(dot.lhs_batch, lhs) || !within(dot.lhs_contracting, lhs) || !within(dot.rhs_batch, rhs) ||
        !within(dot.rhs_contracting, rhs))
        return "the product names a dimension that its operand does not have";
    if (dot.lhs_contracting.size() != dot.rhs_contracting.size())
        return "the product contracts different numbers of dimensions of its operands";
    for (std::size_t i = 0; i < dot.lhs_contracting.size(); ++i) {
        const std::int64_t left = lhs.sizes[static_cast<std::size_t>(dot.lhs_contracting[i])];
        const std::int64_t right = rhs.sizes[static_cast<std::size_t>(dot.rhs_contracting[i])];
        if (left != right && left != unknown_size && right != unknown_size)
            return fmt::format("the product contracts a dimension of {} with one of {}", left, right);
    }
    return std::nullopt;
}

std::optional<std::string> convolution_fault(const InstructionDraft& draft,
                                             const ConvolutionDimensions& convolution, TypeId type,
                                             const Program& program) {
    const std::size_t rank = convolution.input_spatial.size() + 2;
    if (type_of(program, draft.operands[0]).sizes.size() != rank ||
        type_of(program, draft.operands[1]).sizes.size() != rank || program.types[type].sizes.size() != rank)
        return "the convolution's labels do not fit its operands and its result";
    if (!convolution.window.empty() && convolution.window.size() != convolution.input_spatial.size())
        return "the convolution's window does not fit its labels";
    return std::nullopt;
}

std::optional<std::string> count_fault(const InstructionDraft& draft) {
    if (draft.operands.size() < fewest_operands(draft.opcode))
        return fmt::format("it takes {} operands or more, and has {}", fewest_operands(draft.opcode),
                           draft.operands.size());
    if (draft.called.size() < fewest_called(draft.opcode))
        return fmt::format("it calls {} computations, and names {}", fewest_called(draft.opcode),
                           draft.called.size());
    return std::nullopt;
}

}  // namespace

std::optional<TypeId> result_type(const InstructionDraft& draft, Program& program) {
    if (count_fault(draft)) return std::nullopt;
    switch (draft.opcode) {
        case Opcode::tuple:
            return tuple_of(draft, program);
        case Opcode::get_tuple_element:
            return member_type(type_of(program, draft.operands[0]), std::get<Index>(draft.attribute).number);
        case Opcode::dot: {
            const auto& dot = std::get<DotDimensions>(draft.attribute);
            if (dot_fault(draft, dot, program)) return std::nullopt;
            return product_type(draft, dot, program);
        }
        case Opcode::while_loop:
        case Opcode::reverse:
        case Opcode::copy:
        case Opcode::dynamic_update_slice:
        case Opcode::optimization_barrier:
        case Opcode::add_dependency:
            if (draft.operands.empty()) return std::nullopt;
            return program.type_of(draft.operands[0]);
        case Opcode::call:
        case Opcode::composite:
        case Opcode::fusion:
        case Opcode::conditional:
            return program.type_of(program[draft.called[0]].results[0]);
        default:
            break;
    }
    const OpcodeClass family = opcode_class(draft.opcode);
    if (family == OpcodeClass::elementwise || family == OpcodeClass::transcendental)
        return elementwise_type(draft, program);
    return std::nullopt;
}

std::optional<std::string> fault(const InstructionDraft& draft, TypeId type, const Program& program) {
    if (auto missing = count_fault(draft)) return missing;
    if (const auto* dot = std::get_if<DotDimensions>(&draft.attribute); dot && draft.opcode == Opcode::dot)
        return dot_fault(draft, *dot, program);
    if (const auto* convolution = std::get_if<ConvolutionDimensions>(&draft.attribute);
        convolution && draft.opcode == Opcode::convolution)
        return convolution_fault(draft, *convolution, type, program);
    if (draft.opcode == Opcode::get_tuple_element &&
        !member_type(type_of(program, draft.operands[0]), std::get<Index>(draft.attribute).number))
        return fmt::format("{} has no element {}", program.types.text(program.type_of(draft.operands[0])),
                           std::get<Index>(draft.attribute).number);
    return std::nullopt;
}

}  // namespace dse::ir::hlo
