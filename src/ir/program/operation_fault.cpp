#include "ir/program/operation_fault.hpp"

#include <array>
#include <cstddef>
#include <limits>

#include <fmt/format.h>

#include "ir/program/faults/shape_faults.hpp"

namespace dse::ir {
namespace {

bool is_elementwise(Opcode opcode) {
    const OpcodeClass family = opcode_class(opcode);
    return family == OpcodeClass::elementwise || family == OpcodeClass::transcendental;
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
        case Opcode::add:
        case Opcode::logical_and:
        case Opcode::logical_or:
        case Opcode::logical_xor:
        case Opcode::subtract:
        case Opcode::multiply:
        case Opcode::divide:
        case Opcode::remainder:
        case Opcode::maximum:
        case Opcode::minimum:
        case Opcode::shift_left:
        case Opcode::shift_right_arithmetic:
        case Opcode::shift_right_logical:
        case Opcode::complex:
        case Opcode::stochastic_convert:
        case Opcode::atan2:
        case Opcode::power:
            return 2;
        case Opcode::get_tuple_element:
        case Opcode::get_dimension_size:
        case Opcode::set_dimension_size:
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
            return is_elementwise(opcode) ? 1 : 0;
    }
}

/// Of element-wise operators as many as they need; those without a name of their own take what they take.
std::size_t most_operands(Opcode opcode) {
    const bool named = opcode != Opcode::elementwise && opcode != Opcode::special;
    return is_elementwise(opcode) && named ? fewest_operands(opcode)
                                           : std::numeric_limits<std::size_t>::max();
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

/// nullptr: its result does not follow from its operands.
faults::ShapeCheck* shape_check(Opcode opcode) {
    if (is_elementwise(opcode)) return faults::elementwise_fault;
    switch (opcode) {
        case Opcode::broadcast:
            return faults::broadcast_fault;
        case Opcode::reshape:
        case Opcode::dynamic_reshape:
            return faults::reshape_fault;
        case Opcode::bitcast_convert:
            return faults::bitcast_convert_fault;
        case Opcode::transpose:
            return faults::transpose_fault;
        case Opcode::concatenate:
            return faults::concatenate_fault;
        case Opcode::reverse:
            return faults::reverse_fault;
        case Opcode::iota:
            return faults::iota_fault;
        case Opcode::get_dimension_size:
        case Opcode::set_dimension_size:
            return faults::dimension_size_fault;
        case Opcode::copy:
        case Opcode::optimization_barrier:
        case Opcode::sharding_constraint:
        case Opcode::reshard:
            return faults::copy_fault;
        case Opcode::slice:
            return faults::slice_fault;
        case Opcode::dynamic_slice:
            return faults::dynamic_slice_fault;
        case Opcode::dynamic_update_slice:
            return faults::dynamic_update_slice_fault;
        case Opcode::pad:
            return faults::pad_fault;
        case Opcode::dot:
            return faults::dot_fault;
        case Opcode::cholesky:
            return faults::cholesky_fault;
        case Opcode::triangular_solve:
            return faults::triangular_solve_fault;
        case Opcode::convolution:
            return faults::convolution_fault;
        case Opcode::reduce_window:
            return faults::reduce_window_fault;
        case Opcode::select_and_scatter:
            return faults::select_and_scatter_fault;
        case Opcode::reduce:
            return faults::reduce_fault;
        case Opcode::map:
            return faults::map_fault;
        case Opcode::sort:
            return faults::sort_fault;
        case Opcode::gather:
            return faults::gather_fault;
        case Opcode::scatter:
            return faults::scatter_fault;
        case Opcode::tuple:
            return faults::tuple_fault;
        case Opcode::get_tuple_element:
            return faults::element_fault;
        case Opcode::while_loop:
            return faults::while_fault;
        case Opcode::call:
        case Opcode::fusion:
            return faults::call_fault;
        case Opcode::conditional:
            return faults::conditional_fault;
        default:
            return opcode_class(opcode) == OpcodeClass::communication ? faults::collective_fault : nullptr;
    }
}

/// What is asked of an opcode, looked up once: every operation that is read is asked.
struct Rule {
    std::size_t fewest_operands;
    std::size_t most_operands;
    std::size_t fewest_called;
    faults::ShapeCheck* check;
    bool keeps_type;  ///< arrays of one type, result included, are always right
};

const Rule& rule_of(Opcode opcode) {
    constexpr std::size_t opcodes = static_cast<std::size_t>(Opcode::unknown) + 1;
    static const auto rules = [] {
        std::array<Rule, opcodes> all{};
        for (std::size_t i = 0; i < opcodes; ++i) {
            const auto each = static_cast<Opcode>(i);
            const bool answers = each == Opcode::compare || each == Opcode::is_finite;
            all[i] = {fewest_operands(each), most_operands(each), fewest_called(each), shape_check(each),
                      is_elementwise(each) && !answers};
        }
        return all;
    }();
    return rules[static_cast<std::size_t>(opcode)];
}

bool are_enough(const StatedOperation& operation, const Rule& rule) {
    return operation.operands.size() >= rule.fewest_operands &&
           operation.operands.size() <= rule.most_operands && operation.called.size() >= rule.fewest_called;
}

// Types are stored once each, so that most operations take no more than this.
bool of_one_array_type(const StatedOperation& operation, const Program& program) {
    if (operation.results.size() != 1) return false;
    const TypeId type = operation.results[0];
    for (const ValueId operand : operation.operands)
        if (program.type_of(operand) != type) return false;
    return program.types[type].kind == Type::Kind::array;
}

}  // namespace

Fault count_fault(const StatedOperation& operation) {
    const Rule& rule = rule_of(operation.opcode);
    if (are_enough(operation, rule)) return std::nullopt;
    if (operation.operands.size() < rule.fewest_operands)
        return fmt::format("it takes {} operands or more, and has {}", rule.fewest_operands,
                           operation.operands.size());
    if (operation.operands.size() > rule.most_operands)
        return fmt::format("it takes {} operands, and has {}", rule.most_operands, operation.operands.size());
    return fmt::format("it calls {} computations, and names {}", rule.fewest_called, operation.called.size());
}

Fault fault(const StatedOperation& operation, const Program& program) {
    const Rule& rule = rule_of(operation.opcode);
    if (!are_enough(operation, rule)) return count_fault(operation);
    if (rule.check == nullptr || (rule.keeps_type && of_one_array_type(operation, program)))
        return std::nullopt;
    return rule.check({operation, program});
}

}  // namespace dse::ir
