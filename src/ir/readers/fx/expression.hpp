#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/readers/cursor.hpp"

namespace dse::ir::fx {

/// The Python expressions that FX prints, as a tree. One statement's tree at a time: its memory is used again
/// by the next one's.
class Expressions {
  public:
    enum class Kind : std::uint8_t {
        name,       ///< also dotted: `torch.ops.aten.mm.default`, `None`
        integer,    ///<
        number,     ///< `1e-05`, `-inf`
        text,       ///< its `text` is what stands between the quotes
        list,       ///< of any brackets; a dictionary's keys and values alternate
        call,       ///< children: what is called, then arguments
        keyword,    ///< `text` = its one child
        index,      ///< children: what is indexed, then the index
        attribute,  ///< `text` of its one child, where that is no name itself
        binary      ///< `text` is the operator; one or two children
    };
    struct Node {
        Kind kind{Kind::name};
        std::uint32_t child{0};  ///< 0: none
        std::uint32_t next{0};   ///< the next child of the same parent; 0: none
        std::uint32_t position{0};
        std::string_view text;
    };

    /// The expression that is next in the text. \throws InputError where there is none, or one that FX does
    /// not print
    const Node& read(Cursor& cursor);
    /// A tuple without brackets is a list: `a, b,`.
    const Node& read_tuple(Cursor& cursor);

    [[nodiscard]] const Node* child(const Node& node) const { return at(node.child); }
    [[nodiscard]] const Node* next(const Node& node) const { return at(node.next); }
    /// Of a call, its argument of that number or of that name; of a list, its element. nullptr: none such
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
    /// What stands between brackets, of which the opening one is behind. \return the first child
    std::uint32_t items(Cursor& cursor, char closing);

    std::vector<Node> nodes_;
    std::size_t depth_{0};
};

/// Moves over blanks and comments, line ends included.
void skip_blanks_and_comments(Cursor& cursor);

/// Moves over a text in single or double quotes. \return what stands between
std::string_view python_text(Cursor& cursor);

}  // namespace dse::ir::fx
