#include "annotation.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "dse/config/source_text.hpp"

namespace dse::ir::fx {
namespace {

struct Spelling {
    std::string_view brief;
    std::string_view full;
    ElementType type;
};

// Source: PyTorch, torch/utils/_dtype_abbrs.py
constexpr std::array<Spelling, 21> spellings{{
    {"b8", "bool", ElementType::pred},
    {"u8", "uint8", ElementType::u8},
    {"u16", "uint16", ElementType::u16},
    {"u32", "uint32", ElementType::u32},
    {"u64", "uint64", ElementType::u64},
    {"i8", "int8", ElementType::s8},
    {"i16", "int16", ElementType::s16},
    {"i32", "int32", ElementType::s32},
    {"i64", "int64", ElementType::s64},
    {"f16", "float16", ElementType::f16},
    {"bf16", "bfloat16", ElementType::bf16},
    {"f32", "float32", ElementType::f32},
    {"f64", "float64", ElementType::f64},
    {"c64", "complex64", ElementType::c64},
    {"c128", "complex128", ElementType::c128},
    {"f8e4m3fn", "float8_e4m3fn", ElementType::f8e4m3fn},
    {"f8e5m2", "float8_e5m2", ElementType::f8e5m2},
    {"f8e4m3fnuz", "float8_e4m3fnuz", ElementType::f8e4m3fnuz},
    {"f8e5m2fnuz", "float8_e5m2fnuz", ElementType::f8e5m2fnuz},
    {"f8e8m0fnu", "float8_e8m0fnu", ElementType::f8e8m0fnu},
    // Two values per byte, and sizes count bytes.
    {"f4e2m1fn_x2", "float4_e2m1fn_x2", ElementType::u8},
}};

/// Position of the bracket that closes the one at the start of the text; npos if there is none.
std::size_t closing(std::string_view text) {
    std::size_t depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '[' || text[i] == '(') ++depth;
        if ((text[i] == ']' || text[i] == ')') && --depth == 0) return i;
    }
    return std::string_view::npos;
}

/// Removes the part before the next comma outside of brackets, together with the comma.
std::string_view next_part(std::string_view& list) {
    std::size_t depth = 0;
    std::size_t end = 0;
    for (; end < list.size() && (depth > 0 || list[end] != ','); ++end) {
        if (list[end] == '(') ++depth;
        if (list[end] == ')' && depth > 0) --depth;
    }
    std::string_view part = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    while (part.starts_with(' ')) part.remove_prefix(1);
    return part;
}

}  // namespace

std::optional<ElementType> torch_element_type(std::string_view name) {
    for (const Spelling& spelling : spellings)
        if (spelling.brief == name || spelling.full == name) return spelling.type;
    return std::nullopt;
}

Annotations::Annotations(const Source& source, TypeTable& types) : source_{source}, types_{types} {
    Type none;
    none.kind = Type::Kind::untyped;
    untyped_ = types_.add(std::move(none));
}

TypeId Annotations::type(std::string_view text) {
    const std::uint32_t number = known_.add(text);
    if (number == known_types_.size()) known_types_.push_back(types_.add(read(text)));
    return known_types_[number];
}

Type Annotations::read(std::string_view text) const {
    Type type;
    if (text.starts_with("Sym(")) {
        type.element = ElementType::s64;
        return type;
    }
    const std::string_view element = text.substr(0, std::min(text.find('['), text.size()));
    const auto known = torch_element_type(element);
    if (!known) refuse(text, fmt::format("'{}' is not an element type of PyTorch", config::excerpt(element)));
    type.element = *known;
    const std::string_view brackets = text.substr(element.size());
    const std::size_t end = closing(brackets);
    if (end == std::string_view::npos) refuse(text, "expected sizes, as in 'f32[8, 16]'");
    std::string_view list = brackets.substr(1, end - 1);
    while (!list.empty()) {
        const std::string_view part = next_part(list);
        std::int64_t size = 0;
        const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), size);
        const bool is_number = error == std::errc{} && stop == part.data() + part.size();
        if (part.empty() || (is_number && size < 0)) refuse(part, "expected a size");
        if (error == std::errc::result_out_of_range) refuse(part, "the size is too large");
        type.sizes.push_back(is_number ? size : unknown_size);
        type.dynamic = type.dynamic || !is_number;
    }
    return type;
}

void Annotations::refuse(std::string_view at, std::string_view reason) const {
    source_.refuse(static_cast<std::size_t>(at.data() - source_.text().data()), reason);
}

}  // namespace dse::ir::fx
