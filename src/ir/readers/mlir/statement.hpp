#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::ir::mlir {

/// One operation as its text says it, before anybody asks what it means. All texts are views of the file.
struct Statement {
    struct Result {
        std::string_view name;
        std::uint32_t count{1};
    };
    /// An argument of a region that is yet to come: `%x: T` in brackets, or `%x = %y` (as %y).
    struct Argument {
        std::string_view name;
        TypeId type;
        std::string_view attributes;  ///< the inside of its dictionary
    };
    /// `key = value`, of a dictionary or bare; a unit attribute has an empty value.
    struct Entry {
        std::string_view key;
        std::string_view value;
    };

    std::string_view name;  ///< without quotes
    std::uint32_t line{0};
    bool generic{false};  ///< `"dialect.op"(…) … : (…) -> …`
    std::vector<Result> results;
    std::vector<ValueId> operands;
    std::vector<Entry> entries;
    /// What stands alone, in its order: keywords, symbols with '@', quoted texts with their quotes, `[…]`,
    /// `<…>`, `dense<…>`, numbers.
    std::vector<std::string_view> words;
    std::vector<TypeId> operand_types;  ///< of `(…) -> …`
    std::vector<TypeId> result_types;   ///< likewise, or the plain list behind ':'
    bool typed{false};
    bool functional{false};
    std::string_view location;  ///< the inside of `loc(…)`; empty: it states none
    std::vector<Argument> arguments;
    std::vector<ComputationId> regions;

    void clear();

    /// nullptr: it has none of that key.
    [[nodiscard]] const Entry* find(std::string_view key) const;
    /// The value of the first of these keys that it has; empty: it has none.
    [[nodiscard]] std::string_view value(std::string_view key, std::string_view other = {}) const;
    [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
    /// The first word that begins so; empty: none does.
    [[nodiscard]] std::string_view word(char first) const;
    /// A word that is exactly this.
    [[nodiscard]] bool says(std::string_view word) const;
};

/// The dialect of an operation's name: "stablehlo" of "stablehlo.add"; empty for names without a dot.
std::string_view dialect_of(std::string_view name);

/// Dialects whose grammar and meaning are known here, so that a departure from them is an error, not a
/// foreign habit: stablehlo, mhlo, chlo, sdy, func, and names without a dialect.
bool is_known_dialect(std::string_view dialect);

}  // namespace dse::ir::mlir
