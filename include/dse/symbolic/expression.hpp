#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dse/symbolic/parsed_expression.hpp"
#include "dse/symbolic/symbol_table.hpp"

namespace dse::symbolic {

class Program;

/// A compiled expression over named symbols: parsed and type-checked once, evaluated in tens of nanoseconds
/// without allocation, by any number of threads at once.
///
/// The language, loosest first:
///     a if c else b   c ? a : b       conditional
///     a or b   a || b                 logic: anything but 0 is true; the result is 0 or 1
///     a and b  a && b
///     not a
///     == != < <= > >=                 not chained: "a < b < c" is an error
///     + -
///     * / // %                        // and % round towards minus infinity, as in Python, and take integers
///     -a  +a  !a
///     a ** b   a ^ b                  right-associative power
///     min(…) max(…) abs(x) ceil(x) floor(x) round(x) sqrt(x) log2(x)     round: halves away from zero
/// Numbers are integers unless written with a point or an exponent. Text in quotes is compared with a symbol
/// that has a TextResolver.
///
/// No value. Where integers have no integer as their quotient (`/`) or power, at a division by zero, a square
/// root of a negative number, a logarithm of a number that is not positive, and at overflow, there is no
/// value: NaN. An operator with an operand without value has none either, with three exceptions that do not
/// depend on it: "false and x" is false, "true or x" is true, and a conditional ignores the branch that it
/// does not take.
///
/// Why not muParser's own language: it knows neither integers nor absent values nor labels, "a < b < c" means
/// something else there, and its evaluation keeps its stack in the parser object, one thread at a time. The
/// tests hold this evaluator against muParser on random arithmetic.
class Expression {
  public:
    /// \throws ExpressionError on a text that is no expression, an unknown name (with the nearest known one),
    ///         or operands of the wrong type
    static Expression parse(std::string_view text, const SymbolTable& symbols,
                            const TextResolver& result = {});

    /// \param result  what a text in quotes means where it is a result ("'a' if c else 'b'"); may be empty
    static Expression compile(const ParsedExpression& parsed, const SymbolTable& symbols,
                              const TextResolver& result = {});

    /// \param values  one value a slot of the symbol table, shape (slots,); those without value are NaN
    /// \returns the value; NaN: none
    [[nodiscard]] double evaluate(std::span<const double> values) const noexcept;

    /// Whether a condition holds: it has a value, and that is not 0.
    [[nodiscard]] bool holds(std::span<const double> values) const noexcept {
        const double value = evaluate(values);
        return value == value && value != 0.0;
    }

    [[nodiscard]] ValueType type() const;
    [[nodiscard]] const std::string& text() const;

    /// The slots that the value depends on, ascending. Constants are not among them.
    [[nodiscard]] const std::vector<std::size_t>& slots() const;

  private:
    explicit Expression(std::shared_ptr<const Program> program) : program_{std::move(program)} {}

    std::shared_ptr<const Program> program_;
};

/// Whether evaluate() gave a value.
inline bool has_value(double value) {
    return !std::isnan(value);
}

}  // namespace dse::symbolic
