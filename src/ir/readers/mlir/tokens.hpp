#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/readers/cursor.hpp"

namespace dse::ir::mlir {

/// A cursor for MLIR text: `//` comments count as blanks everywhere, and names follow MLIR's rules.
class Tokens : public Cursor {
  public:
    using Cursor::Cursor;

    /// Skips blanks and comments, but stops before a comment that splits a file.
    void skip() { static_cast<void>(skip_lines()); }
    /// Like skip(). \return whether a line ended on the way
    bool skip_lines() {
        while (peek() == ' ') advance();
        const char c = peek();
        return (c == '\n' || c == '/' || c == '\t' || c == '\r') && skip_more_lines();
    }
    /// Whether the comment that splits a file into modules comes next: "// -----".
    [[nodiscard]] bool at_split() const { return peek() == '/' && splits(rest()); }
    /// Whether the text or the module ends.
    [[nodiscard]] bool at_stop() const { return at_end() || at_split(); }

    bool accept(char character);
    /// Accepts punctuation of several characters: "->".
    bool accept(std::string_view punctuation);
    void expect(char character);
    void expect(std::string_view punctuation);
    /// Accepts a whole word, not the beginning of a longer one.
    bool accept_word(std::string_view word);
    std::int64_t integer();
    std::string_view quoted();
    std::string_view bracketed();

    /// A bare identifier, including dots and '$'; may be empty.
    std::string_view identifier();
    /// What follows '%', '^', '@', '#' or '!': like an identifier, but may start with a digit and contain '-'
    /// (not before '>').
    std::string_view suffix();
    /// A symbol after its '@', quoted or not; nested symbols (`@a::@b`) as a whole. \throws InputError
    std::string_view symbol();

    /// Skips `loc(…)` if it comes next.
    void skip_location();
    /// Skips one attribute: a literal, a list, a dictionary, a symbol, `dense<…>`, `[0] x [1]`, `[b, f]x[i,
    /// o]->[b, f]`. Literals are not parsed.
    /// \return its text, without a type that follows
    std::string_view value();
    /// Skips a value and the `: type` after it. \return both
    std::string_view typed_value();

    /// Position of a part of the text.
    [[nodiscard]] std::size_t offset(std::string_view piece) const {
        return static_cast<std::size_t>(piece.data() - text().data());
    }

  private:
    static bool splits(std::string_view text) { return text.starts_with("// -----"); }
    bool skip_more_lines();
    /// Characters of identifiers, possibly none.
    std::string_view name();
    void dense();
};

/// Whether an identifier may start with this character.
constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// The name of a symbol: `@"f.1"` without its quotes.
std::string_view unquoted(std::string_view text);

/// Replaces the escapes `\"`, `\\` and `\22`.
std::string unescaped(std::string_view text);

}  // namespace dse::ir::mlir
