#include "dse/ir/program/element_type.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace dse::ir {
namespace {

struct ElementRow {
    std::string_view name;
    int bits;
    NumberKind kind;
};

// In the order of the enumerators.
constexpr std::array element_rows{
    ElementRow{"?", 0, NumberKind::unknown},          ElementRow{"pred", 1, NumberKind::boolean},
    ElementRow{"s1", 1, NumberKind::integer},         ElementRow{"s2", 2, NumberKind::integer},
    ElementRow{"s4", 4, NumberKind::integer},         ElementRow{"s8", 8, NumberKind::integer},
    ElementRow{"s16", 16, NumberKind::integer},       ElementRow{"s32", 32, NumberKind::integer},
    ElementRow{"s64", 64, NumberKind::integer},       ElementRow{"u1", 1, NumberKind::integer},
    ElementRow{"u2", 2, NumberKind::integer},         ElementRow{"u4", 4, NumberKind::integer},
    ElementRow{"u8", 8, NumberKind::integer},         ElementRow{"u16", 16, NumberKind::integer},
    ElementRow{"u32", 32, NumberKind::integer},       ElementRow{"u64", 64, NumberKind::integer},
    ElementRow{"f4e2m1fn", 4, NumberKind::floating},  ElementRow{"f6e2m3fn", 6, NumberKind::floating},
    ElementRow{"f6e3m2fn", 6, NumberKind::floating},  ElementRow{"f8e3m4", 8, NumberKind::floating},
    ElementRow{"f8e4m3", 8, NumberKind::floating},    ElementRow{"f8e4m3b11fnuz", 8, NumberKind::floating},
    ElementRow{"f8e4m3fn", 8, NumberKind::floating},  ElementRow{"f8e4m3fnuz", 8, NumberKind::floating},
    ElementRow{"f8e5m2", 8, NumberKind::floating},    ElementRow{"f8e5m2fnuz", 8, NumberKind::floating},
    ElementRow{"f8e8m0fnu", 8, NumberKind::floating}, ElementRow{"f16", 16, NumberKind::floating},
    ElementRow{"bf16", 16, NumberKind::floating},     ElementRow{"tf32", 32, NumberKind::floating},
    ElementRow{"f32", 32, NumberKind::floating},      ElementRow{"f64", 64, NumberKind::floating},
    ElementRow{"c64", 64, NumberKind::complex},       ElementRow{"c128", 128, NumberKind::complex},
};
static_assert(element_rows.size() == static_cast<std::size_t>(ElementType::c128) + 1);

const ElementRow& row(ElementType type) {
    return element_rows[static_cast<std::size_t>(type)];
}

}  // namespace

std::string_view name(ElementType type) {
    return row(type).name;
}

std::optional<ElementType> element_type(std::string_view hlo_name) {
    const auto* found =
        std::find_if(element_rows.begin() + 1, element_rows.end(),
                     [hlo_name](const ElementRow& candidate) { return candidate.name == hlo_name; });
    if (found == element_rows.end()) return std::nullopt;
    return static_cast<ElementType>(std::distance(element_rows.begin(), found));
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
