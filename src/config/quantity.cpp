#include "dse/config/quantity.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "dse/config/source_text.hpp"

namespace dse::config {
namespace {

/// The prefixes that a unit accepts. Prefixes that would most likely be typing errors are rejected: 80 mb are
/// not millibits, 5 Ms not megaseconds.
enum class Prefixes { none, small, decimal, large, large_or_binary };

/// A factor as a quotient of two numbers that are exact in binary, so that "5 us" is the double nearest 5e-6.
struct Factor {
    double times{1};
    double over{1};
    friend constexpr Factor operator*(Factor a, Factor b) { return {a.times * b.times, a.over * b.over}; }
    friend constexpr Factor operator/(Factor a, Factor b) { return {a.times * b.over, a.over * b.times}; }
};

struct Unit {
    std::string_view name;
    Factor factor;
    Dimension dimension;
    Prefixes prefixes;
};

constexpr Dimension second{1, 0, 0, 0, 0, 0};
constexpr Dimension byte{0, 1, 0, 0, 0, 0};
constexpr Dimension flop{0, 0, 1, 0, 0, 0};
constexpr Dimension joule{0, 0, 0, 1, 0, 0};
constexpr Dimension dollar{0, 0, 0, 0, 1, 0};
constexpr Dimension gram{0, 0, 0, 0, 0, 1};
constexpr Dimension per_second{-1, 0, 0, 0, 0, 0};

constexpr Dimension plus(Dimension a, Dimension b, int sign) {
    return {a.time + sign * b.time,     a.data + sign * b.data,   a.work + sign * b.work,
            a.energy + sign * b.energy, a.money + sign * b.money, a.mass + sign * b.mass};
}

constexpr std::array units{
    Unit{"1", {}, {}, Prefixes::none},    // for rates: "4 1/s"
    Unit{"req", {}, {}, Prefixes::none},  // likewise: "4 req/s"
    Unit{"s", {}, second, Prefixes::small},
    Unit{"min", {60}, second, Prefixes::none},
    Unit{"h", {3600}, second, Prefixes::none},
    Unit{"B", {}, byte, Prefixes::large_or_binary},
    Unit{"b", {1, 8}, byte, Prefixes::large_or_binary},
    Unit{"bit", {1, 8}, byte, Prefixes::large_or_binary},
    Unit{"bps", {1, 8}, plus(byte, second, -1), Prefixes::large_or_binary},
    Unit{"Bps", {}, plus(byte, second, -1), Prefixes::large_or_binary},
    Unit{"FLOP", {}, flop, Prefixes::large},
    Unit{"FLOPS", {}, plus(flop, second, -1), Prefixes::large},
    Unit{"OPS", {}, plus(flop, second, -1), Prefixes::large},
    Unit{"J", {}, joule, Prefixes::decimal},
    Unit{"Wh", {3600}, joule, Prefixes::decimal},
    Unit{"W", {}, plus(joule, per_second, 1), Prefixes::decimal},
    Unit{"USD", {}, dollar, Prefixes::none},
    Unit{"g", {}, gram, Prefixes::decimal},
};

enum class PrefixKind { small, large, binary };

struct Prefix {
    std::string_view name;
    Factor factor;
    PrefixKind kind;
};

constexpr std::array prefixes{
    Prefix{"Ki", {1024.0}, PrefixKind::binary},
    Prefix{"Mi", {1048576.0}, PrefixKind::binary},
    Prefix{"Gi", {1073741824.0}, PrefixKind::binary},
    Prefix{"Ti", {1099511627776.0}, PrefixKind::binary},
    Prefix{"Pi", {1125899906842624.0}, PrefixKind::binary},
    Prefix{"Ei", {1152921504606846976.0}, PrefixKind::binary},
    Prefix{"k", {1e3}, PrefixKind::large},
    Prefix{"M", {1e6}, PrefixKind::large},
    Prefix{"G", {1e9}, PrefixKind::large},
    Prefix{"T", {1e12}, PrefixKind::large},
    Prefix{"P", {1e15}, PrefixKind::large},
    Prefix{"E", {1e18}, PrefixKind::large},
    Prefix{"m", {1, 1e3}, PrefixKind::small},
    Prefix{"u", {1, 1e6}, PrefixKind::small},
    Prefix{"\u00B5", {1, 1e6}, PrefixKind::small},  // micro sign
    Prefix{"\u03BC", {1, 1e6}, PrefixKind::small},  // Greek mu, which looks the same
    Prefix{"n", {1, 1e9}, PrefixKind::small},
    Prefix{"p", {1, 1e12}, PrefixKind::small},
};

constexpr bool takes(Prefixes accepted, PrefixKind kind) {
    switch (accepted) {
        case Prefixes::none:
            return false;
        case Prefixes::small:
            return kind == PrefixKind::small;
        case Prefixes::decimal:
            return kind != PrefixKind::binary;
        case Prefixes::large:
            return kind == PrefixKind::large;
        case Prefixes::large_or_binary:
            return kind != PrefixKind::small;
    }
    return false;
}

struct Scale {
    Factor factor;
    Dimension dimension;
};

std::string_view trim(std::string_view text) {
    const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

std::optional<Scale> find_unit(std::string_view text) {
    for (const Unit& unit : units) {
        if (unit.name == text) return Scale{unit.factor, unit.dimension};
    }
    for (const Prefix& prefix : prefixes) {
        if (!text.starts_with(prefix.name)) continue;
        const std::string_view rest = text.substr(prefix.name.size());
        for (const Unit& unit : units) {
            if (unit.name == rest && takes(unit.prefixes, prefix.kind))
                return Scale{prefix.factor * unit.factor, unit.dimension};
        }
    }
    return std::nullopt;
}

/// Parses a unit or a quotient of two: "GB/s", "USD/h", "pJ/b".
std::optional<Scale> parse_unit(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return find_unit(text);
    const std::string_view over = trim(text.substr(0, slash));
    const auto above = over.empty() ? std::optional{Scale{{}, {}}} : find_unit(over);  // "4 /s"
    const auto below = find_unit(trim(text.substr(slash + 1)));
    if (!above || !below) return std::nullopt;
    return Scale{above->factor / below->factor, plus(above->dimension, below->dimension, -1)};
}

std::string example_of(Dimension dimension) {
    if (dimension == second) return "5 us' or '2 s";
    if (dimension == byte) return "80 GiB";
    if (dimension == plus(byte, second, -1)) return "400 Gbps";
    if (dimension == plus(flop, second, -1)) return "989 TFLOP/s";
    if (dimension == plus(joule, per_second, 1)) return "700 W";
    return (dimension == per_second ? "4 " : "1 ") + unit_of(dimension);
}

}  // namespace

std::optional<double> parse_number(std::string_view text, std::string_view& rest, std::string& error) {
    double number = 0.0;
    const char* const last = text.data() + text.size();
    const auto [end, status] = std::from_chars(text.data(), last, number);
    rest = {end, static_cast<std::size_t>(last - end)};
    if (status == std::errc::result_out_of_range) {
        error = fmt::format("'{}' is out of the range of numbers (1e-307 to 1e308)", excerpt(text));
        return std::nullopt;
    }
    // from_chars accepts "nan" and "inf" as numbers.
    if (status != std::errc{} || !std::isfinite(number)) {
        error = fmt::format("'{}' does not begin with a number", excerpt(text));
        return std::nullopt;
    }
    return number;
}

std::optional<double> parse_quantity(std::string_view text, Dimension dimension, std::string& error) {
    const std::string example = fmt::format("(write it as in '{}')", example_of(dimension));
    std::string_view rest;
    const auto number = parse_number(trim(text), rest, error);
    if (!number) {
        error += " " + example;
        return std::nullopt;
    }
    const std::string_view unit = trim(rest);
    if (unit.empty()) {
        error = fmt::format("'{}' has no unit {}", excerpt(text), example);
        return std::nullopt;
    }
    const auto scale = parse_unit(unit);
    if (!scale) {
        const bool is_range = unit.find("..") != std::string_view::npos;
        error = fmt::format("unknown unit '{}' {}", excerpt(unit),
                            is_range ? "(a range is written {from: …, to: …, scale: log2})" : example);
        return std::nullopt;
    }
    if (scale->dimension != dimension) {
        error = fmt::format("'{}' is in {}, but {} is needed {}", excerpt(text), unit_of(scale->dimension),
                            unit_of(dimension), example);
        return std::nullopt;
    }
    const double value = *number * scale->factor.times / scale->factor.over;
    if (!std::isfinite(value)) {
        error = fmt::format("'{}' is out of the range of numbers", excerpt(text));
        return std::nullopt;
    }
    return value;
}

std::string unit_of(Dimension dimension) {
    std::string above;
    std::string below;
    const auto append = [&](int exponent, std::string_view name) {
        for (; exponent > 0; --exponent) above += fmt::format("{}{}", above.empty() ? "" : "*", name);
        for (; exponent < 0; ++exponent) below += fmt::format("/{}", name);
    };
    // J/s is written W.
    const bool has_power = dimension.energy == 1 && dimension.time == -1;
    append(dimension.data, "B");
    append(dimension.work, "FLOP");
    append(has_power ? 0 : dimension.energy, "J");
    append(has_power ? 1 : 0, "W");
    append(dimension.money, "USD");
    append(dimension.mass, "g");
    append(has_power ? 0 : dimension.time, "s");
    return (above.empty() ? "1" : above) + below;
}

namespace {

/// Formats `value` in the largest of `names` (steps of `base`; names[one] is the unit without prefix) for
/// which the number is at least 1.
template <std::size_t N>
std::string scaled(double value, double base, const std::array<std::string_view, N>& names, std::size_t one,
                   std::string_view unit) {
    std::size_t step = one;
    for (; step + 1 < N && std::abs(value) >= base; ++step) value /= base;
    for (; step > 0 && std::abs(value) < 1.0; --step) value *= base;
    return fmt::format("{:.6g} {}{}", value, names[step], unit);
}

}  // namespace

std::string format_quantity(double value, Dimension dimension) {
    constexpr std::array<std::string_view, 7> binary{"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    constexpr std::array<std::string_view, 11> decimal{"p", "n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
    constexpr std::array<std::string_view, 5> small{"p", "n", "u", "m", ""};
    constexpr std::array<std::string_view, 7> large{"", "k", "M", "G", "T", "P", "E"};
    constexpr std::array<std::string_view, 1> none{""};
    const std::string unit = unit_of(dimension);
    if (!std::isfinite(value) || value == 0.0) return fmt::format("{} {}", value, unit);
    if (dimension == byte) return scaled(value, 1024.0, binary, 0, unit);
    if (dimension == second) return scaled(value, 1000.0, small, small.size() - 1, unit);
    if (unit.starts_with("USD") || unit.starts_with('1')) return scaled(value, 1000.0, none, 0, unit);
    if (unit.starts_with('B') || unit.starts_with("FLOP")) return scaled(value, 1000.0, large, 0, unit);
    return scaled(value, 1000.0, decimal, 4, unit);
}

}  // namespace dse::config
