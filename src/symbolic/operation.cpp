#include "symbolic/operation.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace dse::symbolic {

namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

bool absent(double x) {
    return std::isnan(x);
}
double finite_or_none(double x) {
    return std::isfinite(x) ? x : no_value;
}

/// A comparison has no value if an operand has none; `holds` is false then for a comparison and its opposite.
double truth(bool holds, double a, double b) {
    return absent(a) || absent(b) ? no_value : static_cast<double>(holds);
}

double floor_modulo(double a, double b) {
    if (b == 0.0) return no_value;
    const double remainder = std::fmod(a, b);
    return remainder != 0.0 && (remainder < 0.0) != (b < 0.0) ? remainder + b : remainder;
}

// Via the remainder, because the quotient of doubles may round up to an integer that it does not reach.
double floor_quotient(double a, double b) {
    return b == 0.0 ? no_value : finite_or_none(std::round((a - floor_modulo(a, b)) / b));
}

double exact_quotient(double a, double b) {
    return b == 0.0 || std::fmod(a, b) != 0.0 ? no_value : a / b;
}

// pow(NaN, 0) and pow(1, NaN) are 1, but an operand without value must propagate.
double power(double a, double b) {
    return absent(a) || absent(b) ? no_value : finite_or_none(std::pow(a, b));
}

double exact_power(double a, double b) {
    const double result = power(a, b);
    return result == std::floor(result) ? result : no_value;
}

// Kleene logic: no value only if the operand without value would decide.
double kleene_and(double a, double b) {
    if (a == 0.0 || b == 0.0) return 0.0;
    return truth(true, a, b);
}

double kleene_or(double a, double b) {
    const bool either = (a != 0.0 && !absent(a)) || (b != 0.0 && !absent(b));
    return either ? 1.0 : truth(false, a, b);
}

}  // namespace

double apply(Operation operation, double a, double b, double c) noexcept {
    switch (operation) {
        case Operation::negate:
            return -a;
        case Operation::logical_not:
            return truth(a == 0.0, a, a);
        case Operation::absolute:
            return std::fabs(a);
        case Operation::ceiling:
            return std::ceil(a);
        case Operation::floor:
            return std::floor(a);
        case Operation::round:
            return std::round(a);
        case Operation::square_root:
            return std::sqrt(a);
        case Operation::log2:
            return a > 0.0 ? std::log2(a) : no_value;
        case Operation::add:
            return finite_or_none(a + b);
        case Operation::subtract:
            return finite_or_none(a - b);
        case Operation::multiply:
            return finite_or_none(a * b);
        case Operation::divide:
            return finite_or_none(a / b);
        case Operation::divide_exactly:
            return exact_quotient(a, b);
        case Operation::floor_divide:
            return floor_quotient(a, b);
        case Operation::modulo:
            return floor_modulo(a, b);
        case Operation::power:
            return power(a, b);
        case Operation::power_exactly:
            return exact_power(a, b);
        case Operation::equal:
            return truth(a == b, a, b);
        case Operation::not_equal:
            return truth(a != b, a, b);
        case Operation::less:
            return truth(a < b, a, b);
        case Operation::less_equal:
            return truth(a <= b, a, b);
        case Operation::greater:
            return truth(a > b, a, b);
        case Operation::greater_equal:
            return truth(a >= b, a, b);
        case Operation::logical_and:
            return kleene_and(a, b);
        case Operation::logical_or:
            return kleene_or(a, b);
        case Operation::minimum:
            return absent(a) || absent(b) ? no_value : std::fmin(a, b);
        case Operation::maximum:
            return absent(a) || absent(b) ? no_value : std::fmax(a, b);
        case Operation::select:
            return absent(a) ? no_value : (a != 0.0 ? b : c);
        case Operation::select_mid:
            return absent(b) ? no_value : (b != 0.0 ? a : c);
    }
    return no_value;
}

std::string_view symbol_of(Operation operation) {
    static constexpr std::array<std::string_view, 29> symbols{
        "-",  "not", "abs", "ceil", "floor", "round", "sqrt", "log2", "+",  "-",
        "*",  "/",   "/",   "//",   "%",     "**",    "**",   "==",   "!=", "<",
        "<=", ">",   ">=",  "and",  "or",    "min",   "max",  "?",    "if"};
    return symbols.at(static_cast<std::size_t>(operation));
}

}  // namespace dse::symbolic
