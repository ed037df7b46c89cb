#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dse/base/units.hpp"

namespace dse::config {

/// A physical dimension, given by its exponents; see dse::Quantity.
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

/// Parses the number at the start of `text`: "1.5e3 GB" → 1500, `rest` " GB". It must be finite, without a
/// leading '+', hexadecimal digits or thousands separators.
/// \returns nothing, with the reason in `error`, if there is none
std::optional<double> parse_number(std::string_view text, std::string_view& rest, std::string& error);

/// "400 Gbps" → 5e10 (B/s). b (or bit) is bit, B is byte; k M G T P E are powers of 1000, Ki … Ei of 1024.
/// Known units are s, min, h, B, b, bps, Bps, FLOP, FLOPS (= FLOP/s; OPS for integers), J, Wh, W, USD, g and
/// quotients of two of them. Allowed prefixes: m u n p for seconds, the large ones for data and FLOP, the
/// binary ones for data. The result is the nearest double for prefixes up to 10^±12. \returns the number in
/// SI units, or nothing, with the reason in `error`, if the text is not a quantity of this
///          dimension
std::optional<double> parse_quantity(std::string_view text, Dimension dimension, std::string& error);

/// The SI unit of a dimension as used in results: "s", "B/s", "FLOP/s", "1".
std::string unit_of(Dimension dimension);

/// 5e10 B/s → "50 GB/s", 85899345920 B → "80 GiB": six digits, for display. parse_quantity can read the
/// result if it knows the unit.
std::string format_quantity(double value, Dimension dimension);

}  // namespace dse::config
