#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dse/ir/readers/source.hpp"

namespace dse::ir {

/// A place in a text that moves forward: what the readers of all languages are written with. Blanks are
/// space, tab, carriage return and line feed. Nothing here allocates.
class Cursor {
  public:
    explicit Cursor(const Source& source) : source_{source}, text_{source.text()} {}

    [[nodiscard]] bool at_end() const { return position_ >= text_.size(); }
    [[nodiscard]] std::size_t position() const { return position_; }
    void move_to(std::size_t position) { position_ = position; }
    [[nodiscard]] std::string_view text() const { return text_; }
    [[nodiscard]] std::string_view rest() const { return text_.substr(position_); }
    [[nodiscard]] std::string_view since(std::size_t begin) const {
        return text_.substr(begin, position_ - begin);
    }
    [[nodiscard]] const Source& source() const { return source_; }

    /// '\0' at the end.
    [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[position_]; }
    [[nodiscard]] char peek(std::size_t ahead) const {
        return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
    }
    void advance(std::size_t characters = 1) { position_ += characters; }
    void skip_blanks();
    /// Blanks other than line feeds.
    void skip_spaces();
    void skip_line();

    /// Moves over the text if it is next, after blanks. \return whether it was
    bool accept(char character);
    bool accept(std::string_view word);
    /// \throws InputError where something else is next
    void expect(char character);
    void expect(std::string_view word);

    /// Characters of [A-Za-z0-9_] and those of `more`; may be empty.
    std::string_view word(std::string_view more = "");
    /// An integer with an optional sign, after blanks. \throws InputError where there is none, or too long a
    /// one
    std::int64_t integer();
    [[nodiscard]] bool at_integer() const;

    /// Moves to the next of two characters, or to the end. Long passages need no memory once they are behind.
    /// \return whether one of them is there
    bool find(char one, char other);
    /// Moves over a quoted text with its quotes; a backslash protects the next character. Long ones are
    /// skipped without being looked at. \return what stands between the quotes \throws InputError at no
    /// quote, or where it is not closed
    std::string_view quoted();
    /// Moves over what stands from an opening bracket ( [ { < to the one that closes it, quoted texts and
    /// comments of `//` aside; "->" closes nothing. \return what stands between
    /// \throws InputError where it is not closed
    std::string_view bracketed();

    /// The line that the place stands in, from 1; counts on from the last answer.
    [[nodiscard]] std::uint32_t line();

    /// \throws InputError "name:line:column: reason", of the place where it stands
    [[noreturn]] void refuse(std::string_view reason) const;
    /// What stands next, quoted and short, as messages need it: "'foo('", or "the end of the file".
    [[nodiscard]] std::string found() const;

  private:
    const Source& source_;
    std::string_view text_;
    std::size_t position_{0};
    std::size_t counted_{0};
    std::uint32_t line_{1};
};

}  // namespace dse::ir
