#include "dse/ir/program/cost/operation_traffic.hpp"

#include <cstddef>
#include <numeric>
#include <vector>

#include "dse/ir/program/views.hpp"

namespace dse::ir {
namespace {

constexpr double pointer = 8;

double result_bytes(const Program& program, const Operation& operation) {
    double bytes = 0;
    for (std::uint32_t i = 0; i < operation.results.count; ++i)
        bytes += program.types.bytes(program.type_of(Program::result(operation, i)));
    return bytes;
}

/// 0 where there is no such operand.
double bytes_of(const Program& program, const Operation& operation, std::size_t operand) {
    const auto operands = program.operands(operation);
    return operand < operands.size() ? program.types.bytes(program.type_of(operands[operand])) : 0;
}

/// All operands; of a tuple its table of pointers.
double read_whole(const Program& program, const Operation& operation) {
    double bytes = 0;
    for (const ValueId operand : program.operands(operation)) {
        const Type& type = program.types[program.type_of(operand)];
        const bool tuple = type.kind == Type::Kind::tuple;
        bytes += tuple ? pointer * static_cast<double>(type.members.size())
                       : program.types.bytes(program.type_of(operand));
    }
    return bytes;
}

/// Dimensions from the slowest to the fastest, those of one element left out.
std::vector<std::int64_t> physical_order(const Type& type) {
    std::vector<std::int64_t> order = type.minor_to_major;
    if (order.empty()) {
        order.resize(type.sizes.size());
        std::iota(order.rbegin(), order.rend(), std::int64_t{0});
    }
    std::vector<std::int64_t> slowest_first;
    for (auto d = order.rbegin(); d != order.rend(); ++d)
        if (type.sizes[static_cast<std::size_t>(*d)] != 1) slowest_first.push_back(*d);
    return slowest_first;
}

/// Whether the elements stay where they are. Dimension i of the result is dimension numbers[i] of the
/// operand.
bool is_bitcast(const Program& program, const Operation& transpose) {
    const auto* dimensions = program.attribute_if<Dimensions>(transpose);
    if (dimensions == nullptr || program.operands(transpose).empty()) return false;
    const Type& from = program.types[program.type_of(program.operands(transpose)[0])];
    const Type& to = program.types[program.type_of(Program::result(transpose))];
    if (dimensions->numbers.size() != from.sizes.size() || to.sizes.size() != from.sizes.size()) return false;
    std::vector<std::int64_t> order;
    for (const std::int64_t d : physical_order(to))
        order.push_back(dimensions->numbers[static_cast<std::size_t>(d)]);
    return order == physical_order(from);
}

}  // namespace

double operand_bytes(const Program& program, const Operation& operation) {
    double bytes = 0;
    for (const ValueId operand : program.operands(operation))
        bytes += program.types.bytes(program.type_of(operand));
    return bytes;
}

Traffic operation_traffic(const Program& program, const Operation& operation) {
    const double result = result_bytes(program, operation);
    // Compilers' programs are counted as XLA counts them, which takes a reshape for a copy.
    if (program.language == Language::fx && is_view(program, operation)) return {};
    const auto operand = [&](std::size_t i) { return bytes_of(program, operation, i); };
    switch (operation.opcode) {
        case Opcode::bitcast:
        case Opcode::view:
        case Opcode::expand:
        case Opcode::wait:
            return {};
        case Opcode::tuple:
            return {0, pointer * static_cast<double>(operation.operands.count)};
        case Opcode::partition_id:
        case Opcode::replica_id:
            return {0, result};
        case Opcode::slice:
            return {result, result};
        case Opcode::dynamic_slice:
        case Opcode::gather:
        case Opcode::index_select:
            return {result + operand(1), result};
        case Opcode::dynamic_update_slice:
            return {operand(1) + operand(2), operand(1)};
        case Opcode::scatter:
            return {2 * operand(2) + operand(1), operand(2)};
        case Opcode::transpose:
            if (is_bitcast(program, operation)) return {};
            break;
        case Opcode::triangular_solve:
            return {operand(0) / 2 + operand(1), result};
        case Opcode::cholesky:
            return {operand(0) / 2, operand(0) / 2};
        case Opcode::optimization_barrier:
        case Opcode::async_update:
        case Opcode::async_done:
            return {read_whole(program, operation), result};
        default:
            break;
    }
    const OpcodeClass family = opcode_class(operation.opcode);
    if (family == OpcodeClass::control || family == OpcodeClass::bookkeeping ||
        family == OpcodeClass::foreign)
        return {};
    return {read_whole(program, operation), result};
}

}  // namespace dse::ir
