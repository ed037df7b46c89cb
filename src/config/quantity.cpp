#include "dse/config/quantity.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace dse::config {
namespace {

struct Unit {
    std::string_view name;
    double factor;
    Dimension dimension;
    bool takes_prefix;
};

constexpr Dimension second{1, 0, 0, 0, 0};
constexpr Dimension byte{0, 1, 0, 0, 0};
constexpr Dimension flop{0, 0, 1, 0, 0};
constexpr Dimension joule{0, 0, 0, 1, 0};
constexpr Dimension dollar{0, 0, 0, 0, 1};
constexpr Dimension per_second{-1, 0, 0, 0, 0};

constexpr Dimension plus(Dimension a, Dimension b, int sign) {
    return {a.time + sign * b.time, a.data + sign * b.data, a.work + sign * b.work,
            a.energy + sign * b.energy, a.money + sign * b.money};
}

constexpr std::array units{
    Unit{"s", 1, second, true},
    Unit{"min", 60, second, false},
    Unit{"h", 3600, second, false},
    Unit{"B", 1, byte, true},
    Unit{"b", 0.125, byte, true},
    Unit{"bps", 0.125, plus(byte, second, -1), true},
    Unit{"Bps", 1, plus(byte, second, -1), true},
    Unit{"FLOP", 1, flop, true},
    Unit{"FLOPS", 1, plus(flop, second, -1), true},
    Unit{"FLOP/s", 1, plus(flop, second, -1), true},
    Unit{"J", 1, joule, true},
    Unit{"Wh", 3600, joule, true},
    Unit{"W", 1, plus(joule, per_second, 1), true},
    Unit{"USD", 1, dollar, false},
};

struct Prefix {
    std::string_view name;
    double factor;
};

constexpr std::array prefixes{
    Prefix{"Ki", 1024.0},
    Prefix{"Mi", 1048576.0},
    Prefix{"Gi", 1073741824.0},
    Prefix{"Ti", 1099511627776.0},
    Prefix{"Pi", 1125899906842624.0},
    Prefix{"k", 1e3},
    Prefix{"M", 1e6},
    Prefix{"G", 1e9},
    Prefix{"T", 1e12},
    Prefix{"P", 1e15},
    Prefix{"E", 1e18},
    Prefix{"m", 1e-3},
    Prefix{"u", 1e-6},
    Prefix{"µ", 1e-6},
    Prefix{"n", 1e-9},
    Prefix{"p", 1e-12},
};

struct Scale {
    double factor;
    Dimension dimension;
};

std::optional<Scale> find_unit(std::string_view text) {
    for (const Unit& unit : units) {
        if (unit.name == text) return Scale{unit.factor, unit.dimension};
    }
    for (const Prefix& prefix : prefixes) {
        if (!text.starts_with(prefix.name)) continue;
        const std::string_view rest = text.substr(prefix.name.size());
        for (const Unit& unit : units) {
            if (unit.takes_prefix && unit.name == rest)
                return Scale{prefix.factor * unit.factor, unit.dimension};
        }
    }
    return std::nullopt;
}

/// A unit, or a quotient of units: "GB/s", "USD/h", "pJ/b".
std::optional<Scale> parse_unit(std::string_view text) {
    if (const auto whole = find_unit(text)) return whole;
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const auto above = find_unit(text.substr(0, slash));
    const auto below = find_unit(text.substr(slash + 1));
    if (!above || !below) return std::nullopt;
    return Scale{above->factor / below->factor, plus(above->dimension, below->dimension, -1)};
}

std::string_view trim(std::string_view text) {
    const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

std::string example_of(Dimension dimension) {
    if (dimension == second) return "5 us";
    if (dimension == byte) return "80 GiB";
    if (dimension == plus(byte, second, -1)) return "400 Gbps";
    if (dimension == plus(flop, second, -1)) return "989 TFLOP/s";
    if (dimension == plus(joule, per_second, 1)) return "700 W";
    return "1 " + unit_of(dimension);
}

}  // namespace

std::optional<double> parse_quantity(std::string_view text, Dimension dimension, std::string& error) {
    const std::string_view whole = trim(text);
    double number = 0.0;
    const auto [end, status] = std::from_chars(whole.data(), whole.data() + whole.size(), number);
    if (status != std::errc{} || !std::isfinite(number)) {
        error = fmt::format("'{}' does not begin with a number (expected a quantity like '{}')", text,
                            example_of(dimension));
        return std::nullopt;
    }
    const std::string_view unit = trim(whole.substr(static_cast<std::size_t>(end - whole.data())));
    if (unit.empty()) {
        error = fmt::format("'{}' has no unit (write it as in '{}')", text, example_of(dimension));
        return std::nullopt;
    }
    const auto scale = parse_unit(unit);
    if (!scale) {
        error = fmt::format("unknown unit '{}' (expected a quantity like '{}')", unit, example_of(dimension));
        return std::nullopt;
    }
    if (scale->dimension != dimension) {
        error = fmt::format("'{}' is in {}, but {} is needed (like '{}')", text, unit_of(scale->dimension),
                            unit_of(dimension), example_of(dimension));
        return std::nullopt;
    }
    return number * scale->factor;
}

std::string unit_of(Dimension dimension) {
    std::string above;
    std::string below;
    const auto append = [&](int exponent, std::string_view name) {
        for (; exponent > 0; --exponent) above += fmt::format("{}{}", above.empty() ? "" : "*", name);
        for (; exponent < 0; ++exponent) below += fmt::format("/{}", name);
    };
    append(dimension.data, "B");
    append(dimension.work, "FLOP");
    // J/s is what everybody calls W.
    if (dimension.energy == 1 && dimension.time == -1) {
        append(1, "W");
    } else {
        append(dimension.energy, "J");
        append(dimension.money, "USD");
        append(dimension.time, "s");
        return (above.empty() ? "1" : above) + below;
    }
    append(dimension.money, "USD");
    return above + below;
}

std::string format_quantity(double value, Dimension dimension) {
    const std::string unit = unit_of(dimension);
    if (!std::isfinite(value) || value == 0.0) return fmt::format("{} {}", value, unit);
    if (dimension == byte) {
        constexpr std::array<std::string_view, 6> binary{"", "Ki", "Mi", "Gi", "Ti", "Pi"};
        std::size_t step = 0;
        double scaled = value;
        for (; step + 1 < binary.size() && std::abs(scaled) >= 1024.0; ++step) scaled /= 1024.0;
        return fmt::format("{:.6g} {}{}", scaled, binary[step], unit);
    }
    constexpr std::array<std::string_view, 10> decimal{"p", "n", "u", "m", "", "k", "M", "G", "T", "P"};
    std::size_t step = 4;
    double scaled = value;
    for (; step + 1 < decimal.size() && std::abs(scaled) >= 1000.0; ++step) scaled /= 1000.0;
    for (; step > 0 && std::abs(scaled) < 1.0; --step) scaled *= 1000.0;
    return fmt::format("{:.6g} {}{}", scaled, decimal[step], unit);
}

}  // namespace dse::config
