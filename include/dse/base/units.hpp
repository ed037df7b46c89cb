#pragma once

#include <cmath>
#include <compare>

namespace dse {

/// A physical quantity in SI units, as a strong type.
///
/// The template arguments are the exponents of the base dimensions (time in s, data in B, work in FLOP,
/// energy in J, money in USD, mass in g), so only meaningful arithmetic compiles: Bytes / BytesPerSecond is
/// Seconds, Bytes + Seconds is an error. A quotient without dimension is a plain double.
///
/// Rationale: two related simulators of this field both use `Latency = double`, one in ns, the other in µs.
template <int Time, int Data, int Work, int Energy, int Money, int Mass = 0>
class Quantity {
  public:
    constexpr Quantity() = default;
    constexpr explicit Quantity(double in_si_units) : value_{in_si_units} {}

    /// The number in SI units: s, B, FLOP, J, USD, g and their quotients.
    [[nodiscard]] constexpr double value() const { return value_; }

    constexpr Quantity& operator+=(Quantity other) {
        value_ += other.value_;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity other) {
        value_ -= other.value_;
        return *this;
    }
    constexpr Quantity& operator*=(double factor) {
        value_ *= factor;
        return *this;
    }
    constexpr Quantity& operator/=(double divisor) {
        value_ /= divisor;
        return *this;
    }

    friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity{a.value_ + b.value_}; }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity{a.value_ - b.value_}; }
    friend constexpr Quantity operator-(Quantity a) { return Quantity{-a.value_}; }
    friend constexpr Quantity operator*(Quantity a, double factor) { return Quantity{a.value_ * factor}; }
    friend constexpr Quantity operator*(double factor, Quantity a) { return Quantity{factor * a.value_}; }
    friend constexpr Quantity operator/(Quantity a, double divisor) { return Quantity{a.value_ / divisor}; }
    friend constexpr auto operator<=>(Quantity, Quantity) = default;

  private:
    double value_{0.0};
};

namespace detail {
template <int T, int D, int W, int E, int M, int G>
struct QuantityOrNumber {
    using Type = Quantity<T, D, W, E, M, G>;
};
template <>
struct QuantityOrNumber<0, 0, 0, 0, 0, 0> {
    using Type = double;
};
}  // namespace detail

template <int T1, int D1, int W1, int E1, int M1, int G1, int T2, int D2, int W2, int E2, int M2, int G2>
constexpr auto operator*(Quantity<T1, D1, W1, E1, M1, G1> a, Quantity<T2, D2, W2, E2, M2, G2> b) {
    return typename detail::QuantityOrNumber<T1 + T2, D1 + D2, W1 + W2, E1 + E2, M1 + M2, G1 + G2>::Type(
        a.value() * b.value());
}

template <int T1, int D1, int W1, int E1, int M1, int G1, int T2, int D2, int W2, int E2, int M2, int G2>
constexpr auto operator/(Quantity<T1, D1, W1, E1, M1, G1> a, Quantity<T2, D2, W2, E2, M2, G2> b) {
    return typename detail::QuantityOrNumber<T1 - T2, D1 - D2, W1 - W2, E1 - E2, M1 - M2, G1 - G2>::Type(
        a.value() / b.value());
}

using Seconds = Quantity<1, 0, 0, 0, 0>;
using Bytes = Quantity<0, 1, 0, 0, 0>;
using Flop = Quantity<0, 0, 1, 0, 0>;
using Joules = Quantity<0, 0, 0, 1, 0>;
using Dollars = Quantity<0, 0, 0, 0, 1>;
using BytesPerSecond = Quantity<-1, 1, 0, 0, 0>;
using FlopPerSecond = Quantity<-1, 0, 1, 0, 0>;
using Watts = Quantity<-1, 0, 0, 1, 0>;
using DollarsPerSecond = Quantity<-1, 0, 0, 0, 1>;
using JoulesPerFlop = Quantity<0, 0, -1, 1, 0>;
using JoulesPerByte = Quantity<0, -1, 0, 1, 0>;
using Grams = Quantity<0, 0, 0, 0, 0, 1>;
using GramsPerJoule = Quantity<0, 0, 0, -1, 0, 1>;

template <int T, int D, int W, int E, int M, int G>
bool is_finite(Quantity<T, D, W, E, M, G> quantity) {
    return std::isfinite(quantity.value());
}

}  // namespace dse
