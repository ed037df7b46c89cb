#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dse::results {

/// Storage type of a value of a point.
enum class ColumnKind : std::uint8_t {
    integer,  ///< 64-bit integer
    real,     ///< double, with an SI unit
    flag,     ///< no or yes
    label,    ///< index into a list of names
};

/// Whether the value is an axis of the sweep or derived from others.
enum class ColumnRole : std::uint8_t { axis, derived };

std::string_view name(ColumnKind kind);
std::string_view name(ColumnRole role);

/// \throws InputError if there is no kind of this name
ColumnKind column_kind(std::string_view name);
ColumnRole column_role(std::string_view name);

/// One value of a point: an axis or a derived value, under /points in a results file.
struct Column {
    std::string name;
    ColumnKind kind{ColumnKind::real};
    ColumnRole role{ColumnRole::axis};
    std::string unit;                 ///< for a real value, "1" if it has no unit; else empty
    std::vector<std::string> labels;  ///< for a label, by index; else empty
    /// Unit in which the sweep writes the values, "Gbps", to show them in; empty: SI units. Not part of what
    /// must be equal for rows to be combined.
    std::string shown_unit{};

    friend bool operator==(const Column& a, const Column& b) {
        return a.name == b.name && a.kind == b.kind && a.role == b.role && a.unit == b.unit &&
               a.labels == b.labels;
    }
};

/// A value of a point in SI units: "4", "0.25", "yes", "1f1b"; "" for NaN.
std::string to_text(const Column& column, double value);

/// The same in the unit in which the sweep writes it, or a usual one: "8", "1f1b", "400 Gbps".
std::string column_text(const Column& column, double value);

}  // namespace dse::results
