#include "dse/results/column.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/written_unit.hpp"

namespace dse::results {
namespace {

constexpr std::array<std::string_view, 4> kinds{"integer", "real", "flag", "label"};
constexpr std::array<std::string_view, 2> roles{"axis", "derived"};

std::size_t index_of(std::string_view name, std::span<const std::string_view> names, std::string_view what) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) return i;
    }
    throw InputError(fmt::format("'{}' is not a {} of a column", name, what));
}

}  // namespace

std::string_view name(ColumnKind kind) {
    return kinds.at(static_cast<std::size_t>(kind));
}

std::string_view name(ColumnRole role) {
    return roles.at(static_cast<std::size_t>(role));
}

ColumnKind column_kind(std::string_view name) {
    return static_cast<ColumnKind>(index_of(name, kinds, "kind"));
}

ColumnRole column_role(std::string_view name) {
    return static_cast<ColumnRole>(index_of(name, roles, "role"));
}

std::string to_text(const Column& column, double value) {
    if (std::isnan(value)) return "";
    switch (column.kind) {
        case ColumnKind::integer:
            return fmt::format("{}", static_cast<std::int64_t>(value));
        case ColumnKind::real:
            return fmt::format("{}", value);
        case ColumnKind::flag:
            return value == 0.0 ? "no" : "yes";
        case ColumnKind::label:
            break;
    }
    return column.labels.at(static_cast<std::size_t>(value));
}

std::string column_text(const Column& column, double value) {
    if (column.kind == ColumnKind::real && !std::isnan(value) && column.unit != "1" && !column.unit.empty()) {
        const config::Dimension dimension = config::dimension_of_unit(column.unit);
        return column.shown_unit.empty() ? config::format_quantity(value, dimension)
                                         : config::format_in_unit(value, column.shown_unit, dimension);
    }
    return to_text(column, value);
}

}  // namespace dse::results
