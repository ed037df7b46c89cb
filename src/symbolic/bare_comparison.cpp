#include "dse/symbolic/bare_comparison.hpp"

#include "symbolic/syntax_tree.hpp"

namespace dse::symbolic {
namespace {

bool compares(const SyntaxNode& node) {
    return node.kind == SyntaxKind::operation && node.operation >= Operation::equal &&
           node.operation <= Operation::greater_equal;
}

bool is_number(const SyntaxNode& node) {
    return node.kind == SyntaxKind::literal && node.type != ValueType::flag;
}

}  // namespace

std::vector<BareComparison> bare_comparisons(const ParsedExpression& expression) {
    std::vector<BareComparison> found;
    const std::vector<SyntaxNode>& nodes = expression.tree().nodes;
    // In postfix order, two leaves before a comparison are its operands.
    for (std::size_t i = 2; i < nodes.size(); ++i) {
        if (!compares(nodes[i])) continue;
        const SyntaxNode* name = &nodes[i - 2];
        const SyntaxNode* number = &nodes[i - 1];
        if (name->kind != SyntaxKind::name) std::swap(name, number);
        if (name->kind == SyntaxKind::name && is_number(*number))
            found.push_back({{name->text, name->position}, number->number});
    }
    return found;
}

}  // namespace dse::symbolic
