#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dse::results {

/// How a value of a point is stored.
enum class ColumnKind : std::uint8_t {
    integer,  ///< 64-bit integer
    real,     ///< double, SI unit beside it
    flag,     ///< no or yes
    label,    ///< one of a list of names
};

/// Whether a sweep names the value as an axis or computes it from others.
enum class ColumnRole : std::uint8_t { axis, derived };

std::string_view name(ColumnKind kind);
std::string_view name(ColumnRole role);

/// \throws InputError for a name that is none
ColumnKind column_kind(std::string_view name);
ColumnRole column_role(std::string_view name);

/// One value of a point: an axis or a derived value, under /points in a results file.
struct Column {
    std::string name;
    ColumnKind kind{ColumnKind::real};
    ColumnRole role{ColumnRole::axis};
    std::string unit;                 ///< of a real value, "1" where it has none; else empty
    std::vector<std::string> labels;  ///< of a label, by index; else empty

    friend bool operator==(const Column&, const Column&) = default;
};

}  // namespace dse::results
