#pragma once

#include <string_view>
#include <vector>

#include "dse/ir/program/attributes.hpp"
#include "ir/readers/mlir/aliases.hpp"
#include "ir/readers/mlir/statement.hpp"
#include "ir/readers/mlir/tokens.hpp"
#include "ir/readers/mlir/type_reader.hpp"

namespace dse::ir::mlir {

/// Integers in any of the forms that attributes have, row-major.
struct Integers {
    Sizes values;
    Sizes shape;  ///< of `dense<…> : tensor<…>`; else not stated
};

/// Reads what an attribute's text means; the text is a piece of the file that the tokens stand in. It moves
/// the tokens there; who goes on elsewhere moves them back. \throws InputError at the place of what it cannot
/// read
class AttributeText {
  public:
    AttributeText(Tokens& tokens, const Aliases& aliases, TypeReader& types)
        : tokens_{tokens}, aliases_{aliases}, types_{types} {}

    /// `1 : i64`, `true`.
    std::int64_t integer(std::string_view text);
    /// `[1, 2]`, `[[1, 2], [3, 4]]`, `array<i64: 1, 2>`, `dense<[1, 2]> : tensor<2xi64>`, `dense<1> : …` (as
    /// often as the type says), `dense<"0x…"> : …` (raw bytes), `1`. Empty text: none.
    Integers integers(std::string_view text);
    /// The same without shape.
    Sizes sizes(std::string_view text) { return integers(text).values; }
    /// The fields of `#dialect.name<key = value, …>`, of `<…>`, or of a dictionary.
    std::vector<Statement::Entry> fields(std::string_view text);
    /// What an alias stands for; any other text as it is.
    [[nodiscard]] std::string_view resolved(std::string_view text) const;
    /// The tokens, moved to a text.
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
