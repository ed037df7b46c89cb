#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dse::config {

/// Number of bytes of the UTF-8 character at the start of `text`: 1 to 4, or 0 if it does not start with one.
/// Source: The Unicode Standard 15.0, table 3-7 (well-formed byte sequences: no surrogates, no overlong
/// forms).
std::size_t utf8_length(std::string_view text);

/// The text of a file, with conversion of byte positions to lines and columns.
class SourceText {
  public:
    /// A position as in editors: line and column in characters, starting at 1.
    struct Place {
        int line{1};
        int column{1};
    };
    struct Fault {
        Place where;
        std::string message;
    };

    /// \param text  must outlive this object
    explicit SourceText(std::string_view text);

    /// The first byte that is not allowed in a text file: invalid UTF-8, or a control character other than
    /// tab and line ends (LF, CR LF). YAML 1.2 forbids them, and the parser would take some for the end of
    /// the file.
    [[nodiscard]] std::optional<Fault> fault();

    /// Position of byte `column` of line `line`, both starting at 0; positions beyond the end are clamped to
    /// it. Continues from the previous result, so that ascending positions are cheap even in long lines.
    [[nodiscard]] Place place(int line, int column);
    /// The text from this position to the end.
    [[nodiscard]] std::string_view from(int line, int column) const;

  private:
    [[nodiscard]] std::size_t offset(int line, int column) const;

    std::string_view text_;
    std::vector<std::size_t> line_starts_;
    std::size_t last_start_{0};
    std::size_t last_offset_{0};
    int last_column_{1};
};

/// The text in a form that is safe to print on a terminal: invalid UTF-8 and control characters other than
/// line feeds are escaped ("\x1B").
std::string printable(std::string_view text);

/// A piece of the user's input for quoting in messages: one printable line of at most 60 characters.
std::string excerpt(std::string_view text);

}  // namespace dse::config
