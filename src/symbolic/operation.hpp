#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dse::symbolic {

/// What a node computes from its operands.
enum class Operation : std::uint8_t {
    negate,
    logical_not,
    absolute,
    ceiling,
    floor,
    round,
    square_root,
    log2,
    add,
    subtract,
    multiply,
    divide,
    divide_exactly,  ///< integers: no value unless the quotient is one
    floor_divide,
    modulo,
    power,
    power_exactly,  ///< integers: no value unless the power is one
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    logical_and,
    logical_or,
    minimum,
    maximum,
    select,      ///< operands: condition, value if true, value if false ("c ? a : b")
    select_mid,  ///< operands: value if true, condition, value if false ("a if c else b")
};

/// 1, 2 or 3.
constexpr std::size_t operands_of(Operation operation) {
    if (operation <= Operation::log2) return 1;
    return operation >= Operation::select ? 3 : 2;
}

/// The value of an operation, NaN where there is none (see Expression). Unused operands are ignored.
double apply(Operation operation, double a, double b, double c) noexcept;

/// How the operation is written, for messages.
std::string_view symbol_of(Operation operation);

}  // namespace dse::symbolic
