#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/readers/cursor.hpp"

namespace dse::ir::mlir {

/// A cursor for MLIR's text: comments of `//` count as blanks everywhere, and names are MLIR's.
class Tokens : public Cursor {
  public:
    using Cursor::Cursor;

    /// Moves over blanks and comments, but stops before a comment that splits a file.
    void skip() {
        if (peek() <= '/') skip_lines();  // blanks and '/' are
    }
    /// The same. \return whether a line ended on the way
    bool skip_lines();
    /// A comment that splits a file into modules is next: "// -----".
    [[nodiscard]] bool at_split() const { return peek() == '/' && rest().starts_with("// -----"); }
    /// Neither text nor module goes on.
    [[nodiscard]] bool at_stop() const { return at_end() || at_split(); }

    bool accept(char character);
    /// Moves over a punctuation of several characters: "->".
    bool accept(std::string_view punctuation);
    void expect(char character);
    void expect(std::string_view punctuation);
    /// Moves over a whole word; a longer word that begins so is left alone.
    bool accept_word(std::string_view word);
    std::int64_t integer();
    std::string_view quoted();
    std::string_view bracketed();

    /// A bare identifier, dots and '$' within it included; may be empty.
    std::string_view identifier();
    /// What stands behind a '%', '^', '@', '#' or '!': as an identifier, with digits first and '-' allowed
    /// (not before '>').
    std::string_view suffix();
    /// A symbol behind its '@', quoted or not; of nested ones (`@a::@b`) the whole. \throws InputError
    std::string_view symbol();

    /// Moves over `loc(…)` if it is next.
    void skip_location();
    /// Moves over one attribute: a literal, a list, a dictionary, a symbol, `dense<…>`, `[0] x [1]`,
    /// `[b, f]x[i, o]->[b, f]`. Literals are passed over, not read. \return its text, without a type behind
    std::string_view value();
    /// Moves over a value and `: type` behind it. \return both
    std::string_view typed_value();

    /// Where a piece of the text stands.
    [[nodiscard]] std::size_t offset(std::string_view piece) const {
        return static_cast<std::size_t>(piece.data() - text().data());
    }

  private:
    void dense();
};

/// What an identifier may begin with.
bool is_letter(char c);

/// What a symbol's text means: without the quotes of `@"f.1"`.
std::string_view unquoted(std::string_view text);

/// What a quoted text means: `\"`, `\\` and `\22`.
std::string unescaped(std::string_view text);

}  // namespace dse::ir::mlir
