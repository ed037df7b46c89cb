#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dse::ir {

/// Element types of arrays. Names differ between languages (HLO `pred`, MLIR `i1`, PyTorch `bool`); these are
/// HLO's, the largest set.
enum class ElementType : std::uint8_t {
    unknown,  ///< not stated
    pred,
    s1,
    s2,
    s4,
    s8,
    s16,
    s32,
    s64,
    u1,
    u2,
    u4,
    u8,
    u16,
    u32,
    u64,
    f4e2m1fn,
    f6e2m3fn,
    f6e3m2fn,
    f8e3m4,
    f8e4m3,
    f8e4m3b11fnuz,
    f8e4m3fn,
    f8e4m3fnuz,
    f8e5m2,
    f8e5m2fnuz,
    f8e8m0fnu,
    f16,
    bf16,
    tf32,
    f32,
    f64,
    c64,
    c128,
};

/// HLO's name: "bf16", "f8e4m3fn"; "?" for unknown.
std::string_view name(ElementType type);

/// The type with this name in HLO; nothing if there is none.
std::optional<ElementType> element_type(std::string_view hlo_name);

/// Bits of one element, without padding: 4 for s4, 1 for pred; 0 for unknown.
int bits(ElementType type);

/// Bytes per element as XLA stores and counts it if it is not packed: predicates and all types below 8 bits
/// take one byte. 0 for unknown.
/// Source: XLA, primitive_util::ByteWidth
int stored_bytes(ElementType type);

enum class NumberKind : std::uint8_t { unknown, boolean, integer, floating, complex };
NumberKind number_kind(ElementType type);

}  // namespace dse::ir
