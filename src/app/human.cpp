#include "app/human.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "app/text_table.hpp"
#include "dse/config/source_text.hpp"

namespace dse::app {
namespace {

/// Four digits, with the largest unit for which the number is at least 1.
template <std::size_t N>
std::string scaled(double value, const std::array<std::pair<double, const char*>, N>& units) {
    if (std::isnan(value)) return "–";
    for (const auto& [scale, name] : units) {
        if (std::abs(value) >= scale * 0.99995) return fmt::format("{:.4g} {}", value / scale, name);
    }
    return fmt::format("{:.4g} {}", value / units.back().first, units.back().second);
}

/// With the largest prefix that leaves a number of at least 1.
std::string human_si(double value, std::string_view unit) {
    constexpr std::array<std::pair<double, const char*>, 5> prefixes{
        {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1.0, ""}}};
    return value == 0.0 ? fmt::format("0 {}", unit) : fmt::format("{}{}", scaled(value, prefixes), unit);
}

}  // namespace

std::string human_seconds(double seconds) {
    constexpr std::array<std::pair<double, const char*>, 4> units{
        {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
    return seconds == 0.0 ? "0 s" : scaled(seconds, units);
}

std::string human_duration(double seconds) {
    constexpr double minute = 60.0;
    constexpr double hour = 60.0 * minute;
    constexpr double day = 24.0 * hour;
    constexpr double year = 365.0 * day;
    if (!std::isfinite(seconds)) return "?";
    if (seconds < 1.0) return human_seconds(seconds);
    if (seconds < minute) return fmt::format("{:.0f} s", seconds);
    const auto two = [&](double large, const char* large_name, double small, const char* small_name) {
        const double rounded = std::round(seconds / small) * small;
        const double whole = std::floor(rounded / large);
        return fmt::format("{:.0f} {} {:.0f} {}", whole, large_name, (rounded - whole * large) / small,
                           small_name);
    };
    if (seconds < hour) return two(minute, "min", 1.0, "s");
    if (seconds < day) return two(hour, "h", minute, "min");
    if (seconds < year) return fmt::format("{:.0f} days", seconds / day);
    return human_count(std::round(seconds / year)) + " years";
}

std::string counted(std::uint64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", human_count(count), noun, count == 1 ? "" : "s");
}

std::string human_rate(double per_second) {
    if (!(per_second > 0.0) || per_second >= 10.0) return human_count(per_second) + "/s";
    if (per_second >= 1.0) return fmt::format("{:.1f}/s", per_second);
    return human_duration(1.0 / per_second) + " each";
}

std::string human_bytes(double bytes) {
    constexpr std::array<std::pair<double, const char*>, 5> units{
        {{1099511627776.0, "TiB"}, {1073741824.0, "GiB"}, {1048576.0, "MiB"}, {1024.0, "KiB"}, {1.0, "B"}}};
    return bytes == 0.0 ? "0 B" : scaled(bytes, units);
}

std::string human_name(std::string_view name, std::size_t width) {
    const auto is_inside = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
    std::string text = config::printable(name);
    std::replace(text.begin(), text.end(), '\n', ' ');
    if (width < 3 || display_width(text) <= width) return text;
    // A third of the width goes to the start, which shows the owner. The end shows what it is.
    std::size_t head = 0;
    for (std::size_t shown = 0; shown < width / 3; ++shown) {
        do ++head;
        while (head < text.size() && is_inside(text[head]));
    }
    std::size_t tail = text.size();
    for (std::size_t shown = 0; shown < width - width / 3 - 1; ++shown) {
        do --tail;
        while (tail > 0 && is_inside(text[tail]));
    }
    return text.replace(head, tail - head, "…");
}

std::string human_share(double share) {
    return std::isnan(share) ? "–" : fmt::format("{:.1f} %", 100.0 * share);
}

std::string share_cell(double share) {
    return std::isfinite(share) ? fmt::format("{:.1f} %", 100.0 * share) : "";
}

std::string signed_share_cell(double share) {
    return std::isfinite(share) ? fmt::format("{:+.1f} %", 100.0 * share) : "";
}

std::string human_value(double value, std::string_view unit) {
    if (std::isnan(value)) return "–";
    if (unit == "s") return human_seconds(value);
    if (unit == "B") return human_bytes(value);
    if (unit == "1") return human_share(value);
    if (unit == "J" || unit == "W") return human_si(value, unit);
    if (unit == "tokens/s" || unit == "samples/s") return fmt::format("{} {}", human_count(value), unit);
    return unit.empty() ? fmt::format("{:.4g}", value) : fmt::format("{:.4g} {}", value, unit);
}

}  // namespace dse::app
