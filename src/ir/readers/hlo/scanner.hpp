#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dse/ir/program/attributes.hpp"
#include "ir/readers/cursor.hpp"

namespace dse::ir::hlo {

/// The words of HLO text. Everything skips blanks and comments (`/* */`, `// …`) before it looks.
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
    /// What stands right here, blanks included.
    [[nodiscard]] char adjacent() const { return cursor_.peek(); }

    bool accept(char character);
    bool accept(std::string_view text);
    /// The whole word: what follows is no part of a name.
    bool accept_word(std::string_view word);
    void expect(char character);
    void expect(std::string_view text);

    /// Letters, digits and `_ . - $`; may be empty.
    std::string_view word();
    /// With or without `%` in front. \throws InputError where there is none
    std::string_view name();
    std::int64_t integer();
    /// `{1,2,3}`, or `{}`
    Sizes sizes();
    /// What stands between the quotes, escapes as they are.
    std::string_view quoted();
    /// Moves from an opening bracket `( [ {` over the one of its kind that closes it. \return what stands
    /// between
    std::string_view enclosed();
    /// Moves over the value of an attribute, whatever it is, up to the comma or whatever is behind it.
    /// \return its text
    std::string_view value();
    /// Moves from inside `constant(` to its closing parenthesis. Memory of what is passed is given back.
    void skip_literal();
    void skip_line() { cursor_.skip_line(); }

    /// The memory of what lies behind is given back now and then; texts that were handed out are to be used
    /// before this.
    void release_behind();

    [[noreturn]] void refuse(std::string_view reason) const { cursor_.refuse(reason); }
    [[noreturn]] void refuse(std::size_t position, std::string_view reason) const;
    /// "expected …, found …", with what it means at the end of the text.
    [[noreturn]] void refuse_expected(std::string_view what);

  private:
    void skip_comment();

    Cursor cursor_;
    std::size_t released_{0};
};

}  // namespace dse::ir::hlo
