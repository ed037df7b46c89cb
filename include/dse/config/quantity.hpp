#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dse/base/units.hpp"

namespace dse::config {

/// A physical dimension by its exponents; see dse::Quantity.
struct Dimension {
    int time{0};
    int data{0};
    int work{0};
    int energy{0};
    int money{0};
    friend constexpr bool operator==(Dimension, Dimension) = default;
};

template <int T, int D, int W, int E, int M>
constexpr Dimension dimension_of(Quantity<T, D, W, E, M>) {
    return {T, D, W, E, M};
}

/// "400 Gbps" → 5e10 (B/s). Prefixes k M G T P E are powers of 1000, Ki … Ei of 1024; b is bit, B is byte.
/// Knows s, min, h, B, b, bps, FLOP, FLOPS (= FLOP/s), J, Wh, W, USD and quotients of them with '/'.
/// \returns the number in SI units, or the reason why the text is no quantity of this dimension in `error`
std::optional<double> parse_quantity(std::string_view text, Dimension dimension, std::string& error);

/// The SI unit of a dimension as results name it: "s", "B/s", "FLOP/s", "1".
std::string unit_of(Dimension dimension);

/// 5e10 B/s → "50 GB/s": for people, not for parsing back exactly.
std::string format_quantity(double value, Dimension dimension);

}  // namespace dse::config
