#include "dse/ir/program/cost/foreign_formula.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/error.hpp"
#include "dse/ir/program/cost/foreign_costs.hpp"
#include "dse/ir/program/cost/operation_traffic.hpp"
#include "dse/ir/program/program_error.hpp"
#include "dse/ir/program/unsized_values.hpp"

namespace dse::ir {
namespace {

constexpr std::size_t most_operands = 8;
constexpr std::size_t most_dimensions = 6;
constexpr std::size_t slots_per_array = 2 + most_dimensions;  // elements, bytes, sizes
constexpr std::size_t all_operands = (1 + most_operands) * slots_per_array;
constexpr std::size_t slots = all_operands + 1;

/// Array 0 is the result, array 1 + i is operand i.
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

bool names_known(const symbolic::Expression& expression, const Values& values) {
    const auto& named = expression.slots();
    return std::all_of(named.begin(), named.end(),
                       [&](std::size_t slot) { return symbolic::has_value(values[slot]); });
}

/// Whether the sizes of all arrays of a call are stated. Arrays without sizes count no elements, so that a
/// formula might be negative only for that reason.
bool has_sizes(const Program& program, const Operation& call) {
    const auto is_sized = [&](ValueId value) { return !has_open_size(program, value); };
    const auto operands = program.operands(call);
    if (!std::all_of(operands.begin(), operands.end(), is_sized)) return false;
    for (std::uint32_t i = 0; i < call.results.count; ++i)
        if (!is_sized(Program::result(call, i))) return false;
    return true;
}

/// Checks expressions that have a value for every call: with all names unknown, only constants have one.
void require_possible(const symbolic::Expression& expression, std::string_view column) {
    Values unknown;
    unknown.fill(std::numeric_limits<double>::quiet_NaN());
    if (expression.evaluate(unknown) < 0)
        throw InputError(fmt::format("{} is {}, but must be at least 0", column, expression.text()));
}

/// "(f32[8,16], f32[16]) -> f32[8]"
std::string types_text(const Program& program, const Operation& call) {
    std::vector<std::string> in;
    for (const ValueId operand : program.operands(call))
        in.push_back(program.types.text(program.type_of(operand)));
    std::vector<std::string> out;
    for (std::uint32_t i = 0; i < call.results.count; ++i)
        out.push_back(program.types.text(program.type_of(Program::result(call, i))));
    const std::string results = fmt::format("{}", fmt::join(out, ", "));
    return fmt::format("({}) -> {}", fmt::join(in, ", "), out.size() == 1 ? results : "(" + results + ")");
}

}  // namespace

ForeignFormula::ForeignFormula(const Text& flops, const Text& bytes)
    : flops_{parse(flops.text), flops.place}, bytes_{parse(bytes.text), bytes.place} {
    require_possible(flops_.expression, "flops");
    require_possible(bytes_.expression, "bytes");
}

std::optional<Cost> ForeignFormula::cost(const Program& program, const Operation& call) const {
    const Values values = values_of(program, call);
    const bool is_sized = has_sizes(program, call);
    const auto value_of = [&](const Placed& formula, std::string_view unit) -> std::optional<double> {
        const double value = formula.expression.evaluate(values);
        if (value >= 0) return value;
        if (!is_sized || (!symbolic::has_value(value) && !names_known(formula.expression, values)))
            return std::nullopt;
        throw ProgramError(
            call.line,
            fmt::format("'{}' takes {} {}, by '{}' ({}), for {}: at least 0, and finite",
                        foreign_name(program, call),
                        symbolic::has_value(value) ? fmt::format("{}", value) : "no finite number of", unit,
                        formula.expression.text(), formula.place, types_text(program, call)));
    };
    const std::optional<double> flops = value_of(flops_, "FLOPs");
    const std::optional<double> bytes = value_of(bytes_, "bytes");
    if (!flops || !bytes) return std::nullopt;
    Cost cost;
    cost.foreign_flops = *flops;
    cost.foreign_bytes = *bytes;
    return cost;
}

}  // namespace dse::ir
