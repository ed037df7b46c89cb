#include "ir/operation_fault.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace dse::ir {
namespace {

const Type& type_of(const Program& program, ValueId value) {
    return program.types[program.type_of(value)];
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

// The first known sizes that differ of dimensions that go together. \pre as many of them, within their types
std::optional<std::pair<std::int64_t, std::int64_t>> unequal_sizes(const Type& lhs, const Sizes& of_lhs,
                                                                   const Type& rhs, const Sizes& of_rhs) {
    for (std::size_t i = 0; i < of_lhs.size(); ++i) {
        const std::int64_t left = lhs.sizes[static_cast<std::size_t>(of_lhs[i])];
        const std::int64_t right = rhs.sizes[static_cast<std::size_t>(of_rhs[i])];
        if (left != right && left != unknown_size && right != unknown_size) return std::pair{left, right};
    }
    return std::nullopt;
}

std::optional<std::string> dot_fault(const StatedOperation& operation, const DotDimensions& dot,
                                     const Program& program) {
    const Type& lhs = type_of(program, operation.operands[0]);
    const Type& rhs = type_of(program, operation.operands[1]);
    if (!within(dot.lhs_batch, lhs) || !within(dot.lhs_contracting, lhs) || !within(dot.rhs_batch, rhs) ||
        !within(dot.rhs_contracting, rhs))
        return "the product names a dimension that its operand does not have";
    if (dot.lhs_contracting.size() != dot.rhs_contracting.size())
        return "the product contracts different numbers of dimensions of its operands";
    if (dot.lhs_batch.size() != dot.rhs_batch.size())
        return "the product has different numbers of batch dimensions of its operands";
    if (const auto sizes = unequal_sizes(lhs, dot.lhs_contracting, rhs, dot.rhs_contracting))
        return fmt::format("the product contracts a dimension of {} with one of {}", sizes->first,
                           sizes->second);
    if (const auto sizes = unequal_sizes(lhs, dot.lhs_batch, rhs, dot.rhs_batch))
        return fmt::format("the product has batches of {} and of {}", sizes->first, sizes->second);
    return std::nullopt;
}

bool goes_on(const std::vector<WindowDimension>& window) {
    return std::all_of(window.begin(), window.end(), [](const WindowDimension& dimension) {
        return dimension.stride > 0 && dimension.base_dilation > 0 && dimension.window_dilation > 0;
    });
}

std::optional<std::string> convolution_fault(const StatedOperation& operation,
                                             const ConvolutionDimensions& convolution,
                                             const Program& program) {
    const std::size_t rank = convolution.input_spatial.size() + 2;
    if (type_of(program, operation.operands[0]).sizes.size() != rank ||
        type_of(program, operation.operands[1]).sizes.size() != rank ||
        (!operation.results.empty() && program.types[operation.results[0]].sizes.size() != rank))
        return "the convolution's labels do not fit its operands and its result";
    if (!convolution.window.empty() && convolution.window.size() != convolution.input_spatial.size())
        return "the convolution's window does not fit its labels";
    if (!goes_on(convolution.window)) return "a window needs strides and dilations above 0";
    if (convolution.feature_groups <= 0 || convolution.batch_groups <= 0)
        return "a convolution has one group or more";
    return std::nullopt;
}

// `get_tuple_element` of a tuple, and of nothing else.
std::optional<std::string> element_fault(const StatedOperation& operation, const Index& index,
                                         const Program& program) {
    const TypeId id = program.type_of(operation.operands[0]);
    const Type& tuple = program.types[id];
    if (tuple.kind == Type::Kind::tuple && index.number >= 0 &&
        static_cast<std::size_t>(index.number) < tuple.members.size())
        return std::nullopt;
    return fmt::format("{} has no element {}", program.types.text(id), index.number);
}

std::optional<std::string> tuple_fault(const StatedOperation& operation, const Program& program) {
    if (operation.results.empty()) return std::nullopt;
    const Type& tuple = program.types[operation.results[0]];
    if (tuple.kind == Type::Kind::tuple && tuple.members.size() == operation.operands.size())
        return std::nullopt;
    return fmt::format("{} is no tuple of {} elements", program.types.text(operation.results[0]),
                       operation.operands.size());
}

}  // namespace

std::optional<std::string> count_fault(const StatedOperation& operation) {
    if (operation.operands.size() < fewest_operands(operation.opcode))
        return fmt::format("it takes {} operands or more, and has {}", fewest_operands(operation.opcode),
                           operation.operands.size());
    if (operation.called.size() < fewest_called(operation.opcode))
        return fmt::format("it calls {} computations, and names {}", fewest_called(operation.opcode),
                           operation.called.size());
    return std::nullopt;
}

std::optional<std::string> fault(const StatedOperation& operation, const Program& program) {
    if (auto missing = count_fault(operation)) return missing;
    switch (operation.opcode) {
        case Opcode::dot:
            if (const auto* dot = std::get_if<DotDimensions>(&operation.attribute))
                return dot_fault(operation, *dot, program);
            return std::nullopt;
        case Opcode::convolution:
            if (const auto* convolution = std::get_if<ConvolutionDimensions>(&operation.attribute))
                return convolution_fault(operation, *convolution, program);
            return std::nullopt;
        case Opcode::get_tuple_element:
            return element_fault(operation, std::get<Index>(operation.attribute), program);
        case Opcode::tuple:
            return tuple_fault(operation, program);
        default:
            return std::nullopt;
    }
}

}  // namespace dse::ir
