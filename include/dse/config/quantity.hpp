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
    int mass{0};
    friend constexpr bool operator==(Dimension, Dimension) = default;
};

template <int T, int D, int W, int E, int M, int G>
constexpr Dimension dimension_of(Quantity<T, D, W, E, M, G>) {
    return {T, D, W, E, M, G};
}

/// Reads the number at the front of `text`: "1.5e3 GB" → 1500, `rest` " GB". Finite; no sign '+', no
/// hexadecimal, no separators of thousands.
/// \returns nothing, with the reason in `error`, where there is none
std::optional<double> parse_number(std::string_view text, std::string_view& rest, std::string& error);

/// "400 Gbps" → 5e10 (B/s). b (or bit) is bit, B is byte; k M G T P E are powers of 1000, Ki … Ei of 1024.
/// Knows s, min, h, B, b, bps, Bps, FLOP, FLOPS (= FLOP/s; OPS of integers), J, Wh, W, USD, g and quotients
/// of two of them. Sensible prefixes: seconds take m u n p; data and FLOP the large ones; data the binary
/// ones. The result is the nearest double for prefixes up to 10^±12. \returns the number in SI units, or
/// nothing with the reason why the text is no quantity of this dimension in `error`
std::optional<double> parse_quantity(std::string_view text, Dimension dimension, std::string& error);

/// The SI unit of a dimension as results name it: "s", "B/s", "FLOP/s", "1".
std::string unit_of(Dimension dimension);

/// 5e10 B/s → "50 GB/s", 85899345920 B → "80 GiB": six digits, for people. What it writes in units that
/// parse_quantity knows, parse_quantity reads.
std::string format_quantity(double value, Dimension dimension);

}  // namespace dse::config
