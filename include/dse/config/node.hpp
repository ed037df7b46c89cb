#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/config/location.hpp"

namespace dse::config {

/// A value of a YAML document with its location. Immutable after parsing.
class Node {
  public:
    enum class Kind { null, scalar, sequence, map };

    struct Entry;

    Node() = default;

    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] bool is_null() const { return kind_ == Kind::null; }
    [[nodiscard]] bool is_scalar() const { return kind_ == Kind::scalar; }
    [[nodiscard]] bool is_sequence() const { return kind_ == Kind::sequence; }
    [[nodiscard]] bool is_map() const { return kind_ == Kind::map; }

    [[nodiscard]] const Location& location() const { return location_; }
    /// Dotted path from the root, sequence items by number: "axes.tp", "require.0".
    [[nodiscard]] const std::string& path() const { return path_; }

    /// A scalar's text, without quotes.
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] bool quoted() const { return quoted_; }

    /// Items of a sequence.
    [[nodiscard]] const std::vector<Node>& items() const { return items_; }
    /// Entries of a map, in the order of the file.
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
    /// The value of `key`, or nullptr.
    [[nodiscard]] const Node* find(std::string_view key) const;

    /// True if the document could not be parsed. Missing keys are then unknown and not worth a message.
    [[nodiscard]] bool unreadable() const { return unreadable_; }

    /// "a map", "a list of 3", "'x'", …, for messages.
    [[nodiscard]] std::string describe() const;

    /// A scalar that does not come from a file (a command-line setting).
    /// \param origin  its location in messages
    static Node scalar(std::string text, std::string path, const std::string& origin);
    static Node scalar(std::string text, std::string path, const Location& where);
    /// A map with these entries (tests, command line).
    static Node map(std::vector<Entry> entries, std::string path, const Location& where);

  private:
    friend class TreeBuilder;
    Kind kind_{Kind::null};
    bool quoted_{false};
    bool unreadable_{false};
    Location location_;
    std::string path_;
    std::string text_;
    std::vector<Node> items_;
    std::vector<Entry> entries_;
};

struct Node::Entry {
    std::string key;
    Location location;
    Node value;
};

/// Parses one YAML document; an empty one is null. A repeated key, or a key that is not a name, is reported
/// and its value is dropped. Anything that cannot be parsed is reported and makes the result null and
/// unreadable(): wrong syntax, nesting deeper than 64, exponentially expanding aliases, bytes that are not
/// text.
/// \param name  name of the file in messages
Node parse_yaml(std::string_view text, const std::string& name, Diagnostics& diagnostics);

/// Reads the text of a configuration file.
/// \throws InputError if it cannot be read (missing, a directory, no permission, over 8 MiB)
std::string read_text(const std::string& file);

/// Both of the above.
Node load_yaml(const std::string& file, Diagnostics& diagnostics);

}  // namespace dse::config
