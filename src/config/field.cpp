#include "dse/config/field.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/nearest.hpp"

namespace dse::config {
namespace {

/// Whether a text looks like an unbracketed list: "1,2,4", but not "1,000".
bool reads_as_list(const std::string& text) {
    if (text.find('=') != std::string::npos) return false;
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos) return false;
    const std::size_t next = std::min(text.find(',', comma + 1), text.size());
    return next - comma != 4;
}

/// " (write 4096, or 4000)" for "4k", which is either; " (write 0.05)" for "5 %"; what is wrong with
/// "8,pp=1", which only a command line can hold; empty for other texts.
std::string rewritten(const std::string& text) {
    std::string_view rest;
    std::string ignored;
    const auto value = parse_number(text, rest, ignored);
    if (value && (rest == "%" || rest == " %")) return fmt::format(" (write {:g})", *value / 100.0);
    if (value && rest.starts_with(',') && rest.find('=') != std::string_view::npos)
        return " (each setting has an option of its own: --set tp=8 --set pp=1)";
    if (!value || (rest != "k" && rest != "K")) return "";
    return fmt::format(" (write {:g}, or {:g})", 1024.0 * *value, 1000.0 * *value);
}

/// The whole scalar as a number; else an error that says it is not `kind`: "an integer".
std::optional<double> number(const Node& node, std::string_view kind, Diagnostics& diagnostics) {
    std::string_view rest;
    std::string error;
    const auto value = parse_number(node.text(), rest, error);
    if (value && rest.empty()) return value;
    diagnostics.error(
        node.location(), node.path(),
        fmt::format("{} is not {}{}", node.describe(), kind,
                    reads_as_list(node.text()) ? fmt::format(" (a list is written [{}])", node.text())
                                               : rewritten(node.text())));
    return std::nullopt;
}

std::optional<double> integer(const Node& node, const FieldInfo& field, Diagnostics& diagnostics) {
    const auto value = number(node, "an integer", diagnostics);
    if (!value) return std::nullopt;
    if (*value != std::floor(*value)) {
        diagnostics.error(node.location(), node.path(), fmt::format("{} is not an integer", node.describe()));
        return std::nullopt;
    }
    if (*value < field.smallest || *value > field.largest) {
        diagnostics.error(node.location(), node.path(),
                          fmt::format("{} is not between {:.0f} and {:.0f}", node.describe(), field.smallest,
                                      field.largest));
        return std::nullopt;
    }
    return value;
}

std::optional<double> flag(const Node& node, Diagnostics& diagnostics) {
    // The spellings of YAML 1.2, and words of YAML 1.1 that are still in use.
    constexpr std::array<std::string_view, 5> yes{"true", "True", "TRUE", "yes", "on"};
    constexpr std::array<std::string_view, 5> no{"false", "False", "FALSE", "no", "off"};
    for (const std::string_view word : yes) {
        if (node.text() == word) return 1.0;
    }
    for (const std::string_view word : no) {
        if (node.text() == word) return 0.0;
    }
    diagnostics.error(node.location(), node.path(),
                      fmt::format("{} is neither true nor false", node.describe()));
    return std::nullopt;
}

/// The usual name of a number format for what frameworks call it; other texts unchanged.
std::string_view plain_format(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> formats{
        {{"bfloat16", "bf16"}, {"float16", "fp16"}, {"float32", "fp32"}, {"float64", "fp64"}}};
    for (const auto& [other, name] : formats) {
        if (other == text) return name;
    }
    return text;
}

std::optional<double> choice(const Node& node, const FieldInfo& field, Diagnostics& diagnostics) {
    for (std::size_t i = 0; i < field.choices.size(); ++i) {
        if (field.choices[i] == node.text() || field.choices[i] == plain_format(node.text()))
            return static_cast<double>(i);
    }
    diagnostics.error(
        node.location(), node.path(),
        fmt::format("unknown value {}{}", node.describe(), suggestion(node.text(), field.choices)));
    return std::nullopt;
}

/// The value that was read, unless it is outside the declared range.
std::optional<double> in_range(std::optional<double> value, const Node& node, const FieldInfo& field,
                               Diagnostics& diagnostics) {
    if (!value || field.range.contains(*value)) return value;
    diagnostics.error(node.location(), node.path(), out_of_range(node.describe(), field));
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
                          fmt::format("expected {1}, found {0}", node.describe(), name(field.type)));
        return std::nullopt;
    }
    switch (field.type) {
        case FieldType::integer:
            return in_range(integer(node, field, diagnostics), node, field, diagnostics);
        case FieldType::flag:
            return flag(node, diagnostics);
        case FieldType::choice:
            return choice(node, field, diagnostics);
        case FieldType::number:
            return in_range(number(node, "a number", diagnostics), node, field, diagnostics);
        case FieldType::quantity: {
            std::string error;
            const auto value = parse_quantity(node.text(), field.dimension, error);
            if (!value) diagnostics.error(node.location(), node.path(), error);
            return in_range(value, node, field, diagnostics);
        }
        case FieldType::text:
            break;
    }
    return std::nullopt;
}

std::string format_value(double value, const FieldInfo& field) {
    switch (field.type) {
        case FieldType::integer:
            return fmt::format("{:.0f}", value);
        case FieldType::flag:
            return value != 0.0 ? "true" : "false";
        case FieldType::quantity:
            return format_quantity(value, field.dimension);
        case FieldType::choice:
        case FieldType::text:
            if (value >= 0 && value < static_cast<double>(field.choices.size()))
                return field.choices[static_cast<std::size_t>(value)];
            break;
        case FieldType::number:
            break;
    }
    return fmt::format("{:g}", value);
}

std::string format_range(const FieldInfo& field) {
    const Range& range = field.range;
    if (!range.is_limited()) return "";
    const std::string most = format_value(range.most, field);
    if (range.least == -Range::unlimited) return fmt::format("at most {}", most);
    const std::string least = format_value(range.least, field);
    const bool has_end = range.most < Range::unlimited;
    if (range.above_least) return fmt::format("above {}{}", least, has_end ? " and at most " + most : "");
    return has_end ? fmt::format("between {} and {}", least, most) : fmt::format("at least {}", least);
}

std::string out_of_range(const std::string& value, const FieldInfo& field) {
    return fmt::format("{} is out of range: must be {} ({})", value, format_range(field), field.help);
}

std::string renaming(std::string_view old_name, std::string_view name, std::string_view meaning) {
    return fmt::format("'{}' is called '{}' now ({})", old_name, name, meaning);
}

}  // namespace dse::config
