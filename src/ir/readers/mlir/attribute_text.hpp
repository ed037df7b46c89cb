#pragma once

#include <string_view>
#include <vector>

#include "dse/ir/program/attributes.hpp"
#include "ir/readers/mlir/aliases.hpp"
#include "ir/readers/mlir/statement.hpp"
#include "ir/readers/mlir/tokens.hpp"
#include "ir/readers/mlir/type_reader.hpp"

namespace dse::ir::mlir {

/// Integers in any form that attributes may have, row-major.
struct Integers {
    Sizes values;
    Sizes shape;  ///< of `dense<…> : tensor<…>`; otherwise not stated
};

/// Interprets the text of an attribute, which is a part of the tokens' file. Moves the tokens there; callers
/// that continue elsewhere move them back.
/// \throws InputError at the position of what it cannot read
class AttributeText {
  public:
    AttributeText(Tokens& tokens, const Aliases& aliases, TypeReader& types)
        : tokens_{tokens}, aliases_{aliases}, types_{types} {}

    /// `1 : i64`, `true`.
    std::int64_t integer(std::string_view text);
    /// `[1, 2]`, `[[1, 2], [3, 4]]`, `array<i64: 1, 2>`, `dense<[1, 2]> : tensor<2xi64>`, `dense<1> : …` (a
    /// splat), `dense<"0x…"> : …` (raw bytes), `1`. Empty text: none.
    Integers integers(std::string_view text);
    /// Like integers(), without the shape.
    Sizes sizes(std::string_view text) { return integers(text).values; }
    /// The fields of `#dialect.name<key = value, …>`, of `<…>`, or of a dictionary.
    std::vector<Statement::Entry> fields(std::string_view text);
    /// The definition of an alias; any other text unchanged.
    [[nodiscard]] std::string_view resolved(std::string_view text) const;
    /// Moves the tokens to a text.
    Tokens& at(std::string_view text);

    [[noreturn]] void refuse(std::string_view text, std::string_view reason);

  private:
    void list(Integers& result);
    void dense(Integers& result);
    void element(Integers& result);
    void raw_bytes(Integers& result, std::string_view hex, const Type& type);

    Tokens& tokens_;
    const Aliases& aliases_;
    TypeReader& types_;
};

}  // namespace dse::ir::mlir
