#include "dse/ir/program/element_type.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace dse::ir {
namespace {

struct Row {
    std::string_view name;
    int bits;
    NumberKind kind;
};

// In the order of the enumerators.
constexpr std::array rows{
    Row{"?", 0, NumberKind::unknown},          Row{"pred", 1, NumberKind::boolean},
    Row{"s1", 1, NumberKind::integer},         Row{"s2", 2, NumberKind::integer},
    Row{"s4", 4, NumberKind::integer},         Row{"s8", 8, NumberKind::integer},
    Row{"s16", 16, NumberKind::integer},       Row{"s32", 32, NumberKind::integer},
    Row{"s64", 64, NumberKind::integer},       Row{"u1", 1, NumberKind::integer},
    Row{"u2", 2, NumberKind::integer},         Row{"u4", 4, NumberKind::integer},
    Row{"u8", 8, NumberKind::integer},         Row{"u16", 16, NumberKind::integer},
    Row{"u32", 32, NumberKind::integer},       Row{"u64", 64, NumberKind::integer},
    Row{"f4e2m1fn", 4, NumberKind::floating},  Row{"f6e2m3fn", 6, NumberKind::floating},
    Row{"f6e3m2fn", 6, NumberKind::floating},  Row{"f8e3m4", 8, NumberKind::floating},
    Row{"f8e4m3", 8, NumberKind::floating},    Row{"f8e4m3b11fnuz", 8, NumberKind::floating},
    Row{"f8e4m3fn", 8, NumberKind::floating},  Row{"f8e4m3fnuz", 8, NumberKind::floating},
    Row{"f8e5m2", 8, NumberKind::floating},    Row{"f8e5m2fnuz", 8, NumberKind::floating},
    Row{"f8e8m0fnu", 8, NumberKind::floating}, Row{"f16", 16, NumberKind::floating},
    Row{"bf16", 16, NumberKind::floating},     Row{"tf32", 32, NumberKind::floating},
    Row{"f32", 32, NumberKind::floating},      Row{"f64", 64, NumberKind::floating},
    Row{"c64", 64, NumberKind::complex},       Row{"c128", 128, NumberKind::complex},
};
static_assert(rows.size() == static_cast<std::size_t>(ElementType::c128) + 1);

const Row& row(ElementType type) {
    return rows[static_cast<std::size_t>(type)];
}

}  // namespace

std::string_view name(ElementType type) {
    return row(type).name;
}

std::optional<ElementType> element_type(std::string_view hlo_name) {
    const auto* found = std::find_if(rows.begin() + 1, rows.end(),
                                     [hlo_name](const Row& candidate) { return candidate.name == hlo_name; });
    if (found == rows.end()) return std::nullopt;
    return static_cast<ElementType>(std::distance(rows.begin(), found));
}

int bits(ElementType type) {
    return row(type).bits;
}

int stored_bytes(ElementType type) {
    return (row(type).bits + 7) / 8;
}

NumberKind number_kind(ElementType type) {
    return row(type).kind;
}

}  // namespace dse::ir
