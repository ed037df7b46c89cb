#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dse/symbolic/symbol_table.hpp"
#include "symbolic/operation.hpp"

namespace dse::symbolic {

/// One step of a stack machine: push a number, push a slot, or replace operands by their value.
struct Instruction {
    enum class Code : std::uint8_t { number, slot, operation };
    Code code{Code::number};
    Operation operation{Operation::add};
    std::uint32_t slot{0};
    double number{0.0};
};

/// A compiled expression.
class Program {
  public:
    /// Largest number of values on the stack.
    static constexpr std::size_t stack_limit = 256;

    std::string text;
    ValueType type{ValueType::integer};
    std::vector<Instruction> instructions;  ///< never needs more than stack_limit values at once
    std::vector<std::size_t> slots;         ///< ascending

    /// \param values  shape (slots of the symbol table,)
    [[nodiscard]] double run(std::span<const double> values) const noexcept;
};

}  // namespace dse::symbolic
