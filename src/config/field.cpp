#include "dse/config/field.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/nearest.hpp"

namespace dse::config {
namespace {

std::optional<double> parse_number(std::string_view text) {
    double number = 0.0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (status != std::errc{} || end != text.data() + text.size() || !std::isfinite(number))
        return std::nullopt;
    return number;
}

std::optional<double> integer(const Node& node, Diagnostics& diagnostics) {
    const auto number = parse_number(node.text());
    // Beyond 2^53 a double no longer holds every integer.
    constexpr double largest_exact = 9007199254740992.0;
    if (number && *number == std::floor(*number) && std::abs(*number) <= largest_exact) return number;
    diagnostics.error(node.location(), node.path(), fmt::format("'{}' is no integer", node.text()));
    return std::nullopt;
}

std::optional<double> flag(const Node& node, Diagnostics& diagnostics) {
    constexpr std::array<std::string_view, 3> yes{"true", "yes", "on"};
    constexpr std::array<std::string_view, 3> no{"false", "no", "off"};
    for (const std::string_view word : yes) {
        if (node.text() == word) return 1.0;
    }
    for (const std::string_view word : no) {
        if (node.text() == word) return 0.0;
    }
    diagnostics.error(node.location(), node.path(),
                      fmt::format("'{}' is neither true nor false", node.text()));
    return std::nullopt;
}

std::optional<double> choice(const Node& node, const FieldInfo& field, Diagnostics& diagnostics) {
    for (std::size_t i = 0; i < field.choices.size(); ++i) {
        if (field.choices[i] == node.text()) return static_cast<double>(i);
    }
    diagnostics.error(
        node.location(), node.path(),
        fmt::format("unknown value '{}'{}", node.text(), suggestion(node.text(), field.choices)));
    return std::nullopt;
}

std::string_view name(FieldType type) {
    switch (type) {
        case FieldType::integer:
            return "an integer";
        case FieldType::number:
            return "a number";
        case FieldType::quantity:
            return "a quantity";
        case FieldType::flag:
            return "true or false";
        case FieldType::choice:
            return "a name";
        case FieldType::text:
            return "text";
    }
    return "a value";
}

}  // namespace

std::optional<double> parse_value(const Node& node, const FieldInfo& field, Diagnostics& diagnostics) {
    DSE_EXPECT(field.type != FieldType::text);
    if (!node.is_scalar()) {
        diagnostics.error(node.location(), node.path(),
                          fmt::format("{} stands where {} is needed", node.describe(), name(field.type)));
        return std::nullopt;
    }
    switch (field.type) {
        case FieldType::integer:
            return integer(node, diagnostics);
        case FieldType::flag:
            return flag(node, diagnostics);
        case FieldType::choice:
            return choice(node, field, diagnostics);
        case FieldType::number: {
            if (const auto number = parse_number(node.text())) return number;
            diagnostics.error(node.location(), node.path(), fmt::format("'{}' is no number", node.text()));
            return std::nullopt;
        }
        case FieldType::quantity: {
            std::string error;
            const auto value = parse_quantity(node.text(), field.dimension, error);
            if (!value) diagnostics.error(node.location(), node.path(), error);
            return value;
        }
        case FieldType::text:
            break;
    }
    return std::nullopt;
}

std::string format_value(double value, const FieldInfo& field) {
    switch (field.type) {
        case FieldType::integer:
            return fmt::format("{}", static_cast<std::int64_t>(value));
        case FieldType::flag:
            return value != 0.0 ? "true" : "false";
        case FieldType::quantity:
            return format_quantity(value, field.dimension);
        case FieldType::choice:
        case FieldType::text: {
            const auto index = static_cast<std::size_t>(value);
            if (value >= 0 && index < field.choices.size()) return field.choices[index];
            break;
        }
        case FieldType::number:
            break;
    }
    return fmt::format("{:g}", value);
}

}  // namespace dse::config
