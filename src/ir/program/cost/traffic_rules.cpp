#include "ir/program/cost/traffic_rules.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace dse::ir::traffic {
namespace {

constexpr double pointer = 8;

double result_bytes(const Program& program, const Operation& operation) {
    double bytes = 0;
    for (std::uint32_t i = 0; i < operation.results.count; ++i)
        bytes += program.types.bytes(program.type_of(Program::result(operation, i)));
    return bytes;
}

/// 0 if there is no such operand.
double bytes_of(const Program& program, const Operation& operation, std::size_t operand) {
    const auto operands = program.operands(operation);
    return operand < operands.size() ? program.types.bytes(program.type_of(operands[operand])) : 0;
}

/// All operands; a tuple counts as its table of pointers.
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

/// Dimensions from slowest to fastest, without those of size one.
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

/// Whether the memory layout stays the same. Dimension i of the result is dimension numbers[i] of the
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

Traffic none(const Program&, const Operation&) {
    return {};
}

Traffic whole(const Program& program, const Operation& operation) {
    return {read_whole(program, operation), result_bytes(program, operation)};
}

Traffic result(const Program& program, const Operation& operation) {
    return {0, result_bytes(program, operation)};
}

Traffic pointers(const Program&, const Operation& operation) {
    return {0, pointer * static_cast<double>(operation.operands.count)};
}

Traffic slice(const Program& program, const Operation& operation) {
    const double taken = result_bytes(program, operation);
    return {taken, taken};
}

Traffic rows(const Program& program, const Operation& operation) {
    const double taken = result_bytes(program, operation);
    return {taken + bytes_of(program, operation, 1), taken};
}

Traffic update(const Program& program, const Operation& operation) {
    const double changed = bytes_of(program, operation, 1);
    return {changed + bytes_of(program, operation, 2), changed};
}

Traffic scatter(const Program& program, const Operation& operation) {
    const double changed = bytes_of(program, operation, 2);
    return {2 * changed + bytes_of(program, operation, 1), changed};
}

Traffic transpose(const Program& program, const Operation& operation) {
    return is_bitcast(program, operation) ? Traffic{} : whole(program, operation);
}

Traffic triangular_solve(const Program& program, const Operation& operation) {
    return {bytes_of(program, operation, 0) / 2 + bytes_of(program, operation, 1),
            result_bytes(program, operation)};
}

Traffic one_triangle(const Program& program, const Operation& operation) {
    const double half = bytes_of(program, operation, 0) / 2;
    return {half, half};
}

}  // namespace dse::ir::traffic
