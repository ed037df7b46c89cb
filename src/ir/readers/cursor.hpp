#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dse/ir/readers/source.hpp"

namespace dse::ir {

/// A position in a text that moves forward, used by the readers of all languages. Blanks are space, tab,
/// carriage return and line feed. Nothing here allocates memory.
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
    /// Skips blanks other than line feeds.
    void skip_spaces();
    void skip_line();

    /// Consumes the text if it comes next, after blanks. \return whether it did
    bool accept(char character);
    bool accept(std::string_view word);
    /// \throws InputError if something else comes next
    void expect(char character);
    void expect(std::string_view word);

    /// Characters of [A-Za-z0-9_] and of `more`; may be empty.
    std::string_view word(std::string_view more = "");
    /// An integer with an optional sign, after blanks. \throws InputError if there is none or it is too long
    std::int64_t integer();

    /// Moves to the next occurrence of either character, or to the end, releasing the pages of long passages.
    /// \return whether there is one
    bool find(char one, char other);
    /// Consumes a quoted text with its quotes; a backslash escapes the next character. Long texts are skipped
    /// without inspection.
    /// \return the text between the quotes
    /// \throws InputError if there is no quote or it is not closed
    std::string_view quoted();
    /// Moves from an opening bracket ( [ { < to after the matching closing one, ignoring quoted texts and
    /// `//` comments; "->" does not close a bracket.
    /// \return the text in between
    /// \throws InputError if it is not closed
    std::string_view bracketed();

    /// The current line, from 1; counts on from the previous answer.
    [[nodiscard]] std::uint32_t line();

    /// \throws InputError "name:line:column: reason" for the current position
    [[noreturn]] void refuse(std::string_view reason) const;
    /// The beginning of what comes next, quoted for messages: "'foo('", or "the end of the file".
    [[nodiscard]] std::string found() const;

  private:
    const Source& source_;
    std::string_view text_;
    std::size_t position_{0};
    std::size_t counted_{0};
    std::uint32_t line_{1};
};

}  // namespace dse::ir
