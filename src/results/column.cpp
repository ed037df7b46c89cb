#include "dse/results/column.hpp"

#include <array>
#include <span>

#include <fmt/format.h>

#include "dse/base/error.hpp"

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

}  // namespace dse::results
