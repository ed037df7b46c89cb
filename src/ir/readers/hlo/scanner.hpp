#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dse/ir/program/attributes.hpp"
#include "ir/readers/cursor.hpp"

namespace dse::ir::hlo {

/// The words of HLO text. All functions first skip blanks and comments (`/* */`, `// …`).
class Scanner {
  public:
    explicit Scanner(const Source& source) : cursor_{source} {}

    [[nodiscard]] std::size_t position() const { return cursor_.position(); }
    void move_to(std::size_t position) { cursor_.move_to(position); }
    [[nodiscard]] std::string_view since(std::size_t begin) const { return cursor_.since(begin); }
    [[nodiscard]] std::uint32_t line() { return cursor_.line(); }

    void skip();
    [[nodiscard]] bool at_end();
    /// '\0' at the end.
    [[nodiscard]] char peek();
    /// The next character, without skipping blanks.
    [[nodiscard]] char adjacent() const { return cursor_.peek(); }

    bool accept(char character);
    bool accept(std::string_view text);
    /// Accepts whole words only: the following character must not be part of a name.
    bool accept_word(std::string_view word);
    void expect(char character);
    void expect(std::string_view text);

    /// Letters, digits and `_ . - $`; may be empty.
    std::string_view word();
    /// With or without a leading `%`. \throws InputError if there is none
    std::string_view name();
    std::int64_t integer();
    /// `{1,2,3}`, or `{}`
    Sizes sizes();
    /// The text between the quotes, without unescaping.
    std::string_view quoted();
    /// Moves from an opening bracket `( [ {` to after the matching closing one. \return the text in between
    std::string_view enclosed();
    /// Skips the value of an attribute of any form, up to the comma or whatever follows it.
    /// \return its text
    std::string_view value();
    /// Moves from inside `constant(` to its closing parenthesis and releases the memory of the skipped text.
    void skip_literal();
    void skip_line() { cursor_.skip_line(); }

    /// Releases the memory of the text read so far, from time to time; texts that were returned must be used
    /// before.
    void release_behind();

    [[noreturn]] void refuse(std::string_view reason) const { cursor_.refuse(reason); }
    [[noreturn]] void refuse(std::size_t position, std::string_view reason) const;
    /// "expected …, found …", with an explanation at the end of the text.
    [[noreturn]] void refuse_expected(std::string_view what);

  private:
    void skip_comment();

    Cursor cursor_;
    std::size_t released_{0};
};

}  // namespace dse::ir::hlo
