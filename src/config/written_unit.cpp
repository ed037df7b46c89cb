#include "dse/config/written_unit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "dse/base/units.hpp"

namespace dse::config {
namespace {

std::string_view without_spaces(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

Dimension dimension_of_unit(std::string_view unit) {
    constexpr Dimension per_second{-1, 0, 0, 0, 0, 0};
    constexpr std::array dimensions{dimension_of(Seconds{}),
                                    dimension_of(Bytes{}),
                                    dimension_of(BytesPerSecond{}),
                                    dimension_of(FlopPerSecond{}),
                                    dimension_of(Flop{}),
                                    dimension_of(Joules{}),
                                    dimension_of(Watts{}),
                                    dimension_of(Dollars{}),
                                    dimension_of(DollarsPerSecond{}),
                                    dimension_of(JoulesPerFlop{}),
                                    dimension_of(JoulesPerByte{}),
                                    dimension_of(GramsPerJoule{}),
                                    per_second};
    const auto* found =
        std::find_if(dimensions.begin(), dimensions.end(), [&](const auto& d) { return unit_of(d) == unit; });
    return found == dimensions.end() ? Dimension{} : *found;
}

std::string written_unit(std::string_view text, Dimension dimension) {
    std::string ignored;
    if (!parse_quantity(text, dimension, ignored)) return {};
    std::string_view unit;
    parse_number(without_spaces(text), unit, ignored);
    return std::string{without_spaces(unit)};
}

std::optional<double> size_of_unit(std::string_view unit, Dimension dimension) {
    std::string ignored;
    return parse_quantity(fmt::format("1 {}", unit), dimension, ignored);
}

bool is_usual_unit(std::string_view unit, Dimension dimension) {
    const auto one = size_of_unit(unit, dimension);
    return one && format_quantity(*one, dimension) == fmt::format("1 {}", unit);
}

std::string format_in_unit(double value, std::string_view unit, Dimension dimension) {
    const auto one = size_of_unit(unit, dimension);
    if (!one || !std::isfinite(value)) return format_quantity(value, dimension);
    return fmt::format("{:.6g} {}", value / *one, unit);
}

}  // namespace dse::config
