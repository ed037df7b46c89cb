#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dse::symbolic {

struct SyntaxTree;

/// A name in an expression and the place where it first stands.
struct NameUse {
    std::string name;
    std::size_t position{0};  ///< offset into the text, in characters from 0
};

/// An expression whose grammar is checked and whose names are known, but not yet what they mean. Values of a
/// sweep that refer to each other are put in order by these names before anything is compiled.
class ParsedExpression {
  public:
    /// \throws ExpressionError (an InputError) on any text that is no expression; never crashes, and takes
    ///         time linear in the length of the text
    static ParsedExpression parse(std::string_view text);

    [[nodiscard]] const std::string& text() const;

    /// Every name once, in the order of first use. Functions are no names.
    [[nodiscard]] const std::vector<NameUse>& names() const;

    [[nodiscard]] const SyntaxTree& tree() const { return *tree_; }

  private:
    explicit ParsedExpression(std::shared_ptr<const SyntaxTree> tree) : tree_{std::move(tree)} {}

    std::shared_ptr<const SyntaxTree> tree_;
};

}  // namespace dse::symbolic
