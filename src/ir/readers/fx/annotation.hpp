#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dse/base/name_table.hpp"
#include "dse/ir/program/type.hpp"
#include "dse/ir/readers/source.hpp"

namespace dse::ir::fx {

/// Parses types as FX writes them beside values: `bf16[8, 2048][2048, 1]cuda:0` (sizes, strides, device),
/// `f32[]`, `i64[s0, 4]`, `Sym(s0)`. Strides and devices are ignored: where a value is stored is up to the
/// compiler.
class Annotations {
  public:
    Annotations(const Source& source, TypeTable& types);

    /// \param text  a part of the source's text \throws InputError if it is not a type
    TypeId type(std::string_view text);
    /// For values without annotation.
    [[nodiscard]] TypeId untyped() const { return untyped_; }

  private:
    [[nodiscard]] Type read(std::string_view text) const;
    [[noreturn]] void refuse(std::string_view at, std::string_view reason) const;

    const Source& source_;
    TypeTable& types_;
    TypeId untyped_;
    NameTable known_;
    std::vector<TypeId> known_types_;  ///< by the text's number in `known_`
};

/// The type with this short ("bf16") or long ("bfloat16") name in PyTorch; nothing if there is none.
std::optional<ElementType> torch_element_type(std::string_view name);

}  // namespace dse::ir::fx
