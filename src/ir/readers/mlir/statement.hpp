#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::ir::mlir {

/// An operation as written, before its meaning is determined. All texts are views of the file.
struct Statement {
    struct Result {
        std::string_view name;
        std::uint32_t count{1};
    };
    /// An argument of a region that follows: `%x: T` in brackets, or `%x = %y` (with the type of %y).
    struct Argument {
        std::string_view name;
        TypeId type;
        std::string_view attributes;  ///< the inside of its dictionary
    };
    /// `key = value`, in a dictionary or bare; a unit attribute has an empty value.
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
    /// Single items in order: keywords, symbols with '@', quoted texts with their quotes, `[…]`, `<…>`,
    /// `dense<…>`, numbers.
    std::vector<std::string_view> words;
    std::vector<TypeId> operand_types;  ///< of `(…) -> …`
    std::vector<TypeId> result_types;   ///< of `(…) -> …`, or the plain list after ':'
    bool typed{false};
    bool functional{false};
    std::string_view location;  ///< the inside of `loc(…)`; empty: not stated
    std::vector<Argument> arguments;
    std::vector<ComputationId> regions;

    void clear();

    /// nullptr if there is no such key.
    [[nodiscard]] const Entry* find(std::string_view key) const;
    /// The value of the first of these keys that exists; empty if neither does.
    [[nodiscard]] std::string_view value(std::string_view key, std::string_view other = {}) const;
    [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
    /// The first word that starts with this character; empty if there is none.
    [[nodiscard]] std::string_view word(char first) const;
    /// Whether there is exactly this word.
    [[nodiscard]] bool says(std::string_view word) const;
};

/// The dialect in an operation's name: "stablehlo" in "stablehlo.add"; empty for names without a dot.
std::string_view dialect_of(std::string_view name);

/// Dialects whose grammar and meaning are known here, so that deviations are errors rather than foreign
/// syntax: stablehlo, mhlo, chlo, sdy, func, and names without a dialect.
bool is_known_dialect(std::string_view dialect);

}  // namespace dse::ir::mlir
