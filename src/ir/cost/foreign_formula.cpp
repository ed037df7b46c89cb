#include "dse/ir/cost/foreign_formula.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/ir/cost/operation_traffic.hpp"
#include "dse/ir/program_error.hpp"

namespace dse::ir {
namespace {

constexpr std::size_t most_operands = 8;
constexpr std::size_t most_dimensions = 6;
constexpr std::size_t slots_per_array = 2 + most_dimensions;  // elements, bytes, sizes
constexpr std::size_t all_operands = (1 + most_operands) * slots_per_array;
constexpr std::size_t slots = all_operands + 1;

/// Array 0 is the result, array 1 + i operand i.
symbolic::SymbolTable make_names() {
    symbolic::SymbolTable names;
    for (std::size_t array = 0; array <= most_operands; ++array) {
        const std::string name = array == 0 ? "out" : fmt::format("in{}", array - 1);
        const std::size_t first = array * slots_per_array;
        names.add_at(name, first, symbolic::ValueType::real);
        names.add_at(name + "_bytes", first + 1, symbolic::ValueType::real);
        for (std::size_t d = 0; d < most_dimensions; ++d)
            names.add_at(fmt::format("{}_d{}", name, d), first + 2 + d, symbolic::ValueType::real);
    }
    names.add_at("in_bytes", all_operands, symbolic::ValueType::real);
    return names;
}

symbolic::Expression parse(std::string_view text) {
    static const symbolic::SymbolTable names = make_names();
    return symbolic::Expression::parse(text, names);
}

using Values = std::array<double, slots>;

void set_sizes(Values& values, std::size_t array, const Type& type) {
    for (std::size_t d = 0; d < type.sizes.size() && d < most_dimensions; ++d)
        if (type.sizes[d] != unknown_size)
            values[array * slots_per_array + 2 + d] = static_cast<double>(type.sizes[d]);
}

Values values_of(const Program& program, const Operation& call) {
    Values values;
    values.fill(std::numeric_limits<double>::quiet_NaN());
    values[0] = values[1] = 0;
    for (std::uint32_t i = 0; i < call.results.count; ++i) {
        const TypeId type = program.type_of(Program::result(call, i));
        values[0] += program.types.elements(type);
        values[1] += program.types.bytes(type);
        const Type& whole = program.types[type];
        const bool tuple = whole.kind == Type::Kind::tuple && !whole.members.empty();
        if (i == 0) set_sizes(values, 0, tuple ? program.types[whole.members[0]] : whole);
    }
    const auto operands = program.operands(call);
    for (std::size_t i = 0; i < operands.size() && i < most_operands; ++i) {
        const TypeId type = program.type_of(operands[i]);
        values[(1 + i) * slots_per_array] = program.types.elements(type);
        values[(1 + i) * slots_per_array + 1] = program.types.bytes(type);
        set_sizes(values, 1 + i, program.types[type]);
    }
    values[all_operands] = operand_bytes(program, call);
    return values;
}

}  // namespace

ForeignFormula::ForeignFormula(std::string_view flops, std::string_view bytes)
    : flops_{parse(flops)}, bytes_{parse(bytes)} {
    Values unknown;
    unknown.fill(std::numeric_limits<double>::quiet_NaN());
    // Of a call of which nothing is known only what is a number for every call has a value.
    if (flops_.evaluate(unknown) < 0) throw InputError(fmt::format("flops is {}: at least 0", flops));
    if (bytes_.evaluate(unknown) < 0) throw InputError(fmt::format("bytes is {}: at least 0", bytes));
}

std::optional<Cost> ForeignFormula::cost(const Program& program, const Operation& call) const {
    const Values values = values_of(program, call);
    Cost cost;
    cost.foreign_flops = flops_.evaluate(values);
    cost.foreign_bytes = bytes_.evaluate(values);
    if (!symbolic::has_value(cost.foreign_flops) || !symbolic::has_value(cost.foreign_bytes))
        return std::nullopt;
    if (cost.foreign_flops < 0 || cost.foreign_bytes < 0)
        throw ProgramError(call.line,
                           fmt::format("a foreign call takes {} FLOPs and {} bytes by the table of "
                                       "foreign costs: neither may be negative",
                                       cost.foreign_flops, cost.foreign_bytes));
    return cost;
}

}  // namespace dse::ir
