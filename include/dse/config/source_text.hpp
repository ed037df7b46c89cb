#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dse::config {

/// Bytes of the UTF-8 character that `text` begins with: 1 to 4, or 0 where it begins with none.
/// Source: The Unicode Standard 15.0, table 3-7 (well-formed byte sequences: no surrogates, no overlong
/// forms).
std::size_t utf8_length(std::string_view text);

/// The text of a file, and how its bytes lie in lines and columns.
class SourceText {
  public:
    /// A place that an editor would jump to: lines and columns in characters, from 1.
    struct Place {
        int line{1};
        int column{1};
    };
    struct Fault {
        Place where;
        std::string message;
    };

    /// \param text  must outlive this
    explicit SourceText(std::string_view text);

    /// The first byte that no text file holds: not UTF-8, or a control character other than tab and line
    /// ends (LF, CR LF). YAML 1.2 forbids them, and the parser would take some for the end of the file.
    [[nodiscard]] std::optional<Fault> fault();

    /// Where byte `column` (from 0) of line `line` (from 0) stands; places behind the end are clamped to it.
    /// Counts on from the last answer: cheap for ascending places, however long the line.
    [[nodiscard]] Place place(int line, int column);
    /// The text from there on.
    [[nodiscard]] std::string_view from(int line, int column) const;

  private:
    [[nodiscard]] std::size_t offset(int line, int column) const;

    std::string_view text_;
    std::vector<std::size_t> line_starts_;
    std::size_t last_start_{0};
    std::size_t last_offset_{0};
    int last_column_{1};
};

/// The text as a terminal may show it: bytes that are not UTF-8 and control characters other than line feeds
/// as
/// "\x1B", so that nothing moves the cursor.
std::string printable(std::string_view text);

/// A piece of the user's input as messages quote it: one printable line of at most 60 characters.
std::string excerpt(std::string_view text);

}  // namespace dse::config
