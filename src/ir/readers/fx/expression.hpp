#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/readers/cursor.hpp"

namespace dse::ir::fx {

/// The Python expressions that FX prints, as a tree. It holds the tree of one statement at a time, whose
/// memory the next one reuses.
class Expressions {
  public:
    enum class Kind : std::uint8_t {
        name,       ///< may be dotted: `torch.ops.aten.mm.default`, `None`
        integer,    ///< `8`
        number,     ///< `1e-05`, `-inf`
        text,       ///< its `text` is without the quotes
        list,       ///< with any brackets; keys and values of a dictionary alternate
        call,       ///< children: the callee, then the arguments
        keyword,    ///< `text` = its only child
        index,      ///< children: the indexed expression, then the index
        attribute,  ///< `text` of its only child, if that is not a name itself
        binary      ///< `text` is the operator; one or two children
    };
    struct Node {
        Kind kind{Kind::name};
        std::uint32_t child{0};  ///< 0: none
        std::uint32_t next{0};   ///< the next child of the same parent; 0: none
        std::uint32_t position{0};
        std::string_view text;
    };

    /// Reads the next expression. \throws InputError if there is none, or it is one that FX does not print
    const Node& read(Cursor& cursor);
    /// A tuple without brackets, `a, b,`, is read as a list.
    const Node& read_tuple(Cursor& cursor);

    [[nodiscard]] const Node* child(const Node& node) const { return at(node.child); }
    [[nodiscard]] const Node* next(const Node& node) const { return at(node.next); }
    /// The argument of a call with this index or name, or the element of a list; nullptr if there is none.
    [[nodiscard]] const Node* argument(const Node& node, std::size_t number,
                                       std::string_view name = "") const;
    [[nodiscard]] std::size_t children(const Node& node) const;

  private:
    [[nodiscard]] const Node* at(std::uint32_t number) const {
        return number == 0 ? nullptr : &nodes_[number];
    }
    std::uint32_t add(Kind kind, std::size_t position, std::string_view text, std::uint32_t child = 0);
    std::uint32_t expression(Cursor& cursor);
    std::uint32_t operand(Cursor& cursor);
    std::uint32_t primary(Cursor& cursor);
    std::uint32_t postfix(Cursor& cursor, std::uint32_t node);
    std::uint32_t item(Cursor& cursor);
    /// Reads the items after an opening bracket and the closing one. \return the first child
    std::uint32_t items(Cursor& cursor, char closing);

    std::vector<Node> nodes_;
    std::size_t depth_{0};
};

/// Skips blanks, line ends and comments.
void skip_blanks_and_comments(Cursor& cursor);

/// Consumes a text in single or double quotes. \return the text in between
std::string_view python_text(Cursor& cursor);

}  // namespace dse::ir::fx
