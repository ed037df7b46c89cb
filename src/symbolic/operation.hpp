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
    divide_exactly,  ///< integers: no value unless the quotient is an integer
    floor_divide,
    modulo,
    power,
    power_exactly,  ///< integers: no value unless the power is an integer
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

/// Number of operands: 1, 2 or 3.
constexpr std::size_t operands_of(Operation operation) {
    if (operation <= Operation::log2) return 1;
    return operation >= Operation::select ? 3 : 2;
}

/// Value of an operation, NaN if it has none (see Expression). Unused operands are ignored.
double apply(Operation operation, double a, double b, double c) noexcept;

/// The operation as written, for messages.
std::string_view symbol_of(Operation operation);

}  // namespace dse::symbolic
