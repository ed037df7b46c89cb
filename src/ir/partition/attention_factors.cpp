#include "ir/partition/attention_factors.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

namespace dse::ir::partition {
namespace {

using Kind = FactorRule::Kind;
using Number = FactorRule::Number;
using Order = FusedAttention::Order;
using Pass = FusedAttention::Pass;
using Tensor = FactorRule::Tensor;

class AttentionFactors {
  public:
    AttentionFactors(const Subject& subject, const FusedAttention& attention) {
        const Sizes& queries = subject.operand(0).sizes;
        const Sizes& keys = subject.operand(1).sizes;
        const std::size_t heads = FusedAttention::heads(attention.order);
        const std::size_t sequence = FusedAttention::sequence(attention.order);
        const bool forward = attention.pass == Pass::forward;
        batch_ = rule.add(queries[0]);
        group_ = rule.add(keys[heads]);
        member_ = rule.add(queries[heads] / keys[heads]);
        query_ = rule.add(queries[sequence], forward ? Kind::parallel : Kind::whole);
        key_ = rule.add(keys[sequence], Kind::whole);
        size_ = rule.add(queries[3], Kind::whole);
        for (std::size_t i = 0; i < subject.operands(); ++i)
            rule.operands.push_back(like(subject.operand(i), std::array{attention.order}));
        // Queries may have the same number of heads and the same length as keys: then only the operand's
        // position distinguishes them.
        rule.operands[1] = rule.operands[2] = of_keys(attention.order);
        const std::array orders{attention.result_order, attention.order};
        for (std::size_t i = 0; i < subject.results(); ++i) {
            const Type& type = subject.result(i);
            rule.results.push_back(forward || i == 0 ? like(type, orders) : like_keys(type, orders));
        }
    }
    FactorRule rule;

  private:
    using Orders = std::span<const Order>;

    [[nodiscard]] Tensor of_queries(Order order) const { return array(order, {group_, member_}, query_); }
    [[nodiscard]] Tensor of_keys(Order order) const { return array(order, {group_}, key_); }
    [[nodiscard]] Tensor array(Order order, FactorRule::Numbers heads, Number position) const {
        Tensor tensor{{batch_}, {}, {}, {size_}};
        tensor[FusedAttention::heads(order)] = std::move(heads);
        tensor[FusedAttention::sequence(order)] = {position};
        return tensor;
    }

    /// The factors of queries or keys, in the first of the orders in which an array has their shape, or those
    /// of scores without keys.
    [[nodiscard]] Tensor like(const Type& type, Orders orders) const {
        std::vector<Tensor> shapes;
        for (const Order order : orders) {
            shapes.push_back(of_queries(order));
            shapes.push_back(of_keys(order));
        }
        shapes.push_back({{batch_}, {group_}, {member_}, {query_}});
        shapes.push_back({{batch_}, {group_, member_}, {query_}});
        return first_of(shapes, type);
    }
    [[nodiscard]] Tensor like_keys(const Type& type, Orders orders) const {
        std::vector<Tensor> shapes;
        for (const Order order : orders) shapes.push_back(of_keys(order));
        return first_of(shapes, type);
    }
    [[nodiscard]] Tensor first_of(const std::vector<Tensor>& shapes, const Type& type) const {
        const auto found = std::find_if(shapes.begin(), shapes.end(),
                                        [&](const Tensor& tensor) { return type.sizes == sizes_of(tensor); });
        return found == shapes.end() ? no_factors(type) : *found;
    }
    [[nodiscard]] Sizes sizes_of(const Tensor& tensor) const {
        Sizes sizes;
        for (const auto& dimension : tensor) {
            sizes.push_back(1);
            for (const Number factor : dimension) sizes.back() *= rule.factors[factor].size;
        }
        return sizes;
    }

    Number batch_{};
    Number group_{};
    Number member_{};
    Number query_{};
    Number key_{};
    Number size_{};
};

/// Whether the gradients are those of queries, keys and values, besides scratch memory; the gradient of a
/// bias is a sum over more than one of them.
bool has_known_gradients(const Subject& subject) {
    std::size_t arrays = 0;
    for (std::size_t i = 0; i < subject.results(); ++i)
        if (subject.result(i).sizes.size() > 1) ++arrays;
    return arrays <= 3;
}

bool fits(const Subject& subject, const FusedAttention& attention) {
    if (subject.operands() < 3) return false;
    const Sizes& queries = subject.operand(0).sizes;
    const Sizes& keys = subject.operand(1).sizes;
    if (queries.size() != 4 || keys.size() != 4 || subject.operand(2).sizes != keys) return false;
    const std::size_t heads = FusedAttention::heads(attention.order);
    return queries[0] == keys[0] && queries[3] == keys[3] && keys[heads] > 0 &&
           queries[heads] % keys[heads] == 0 &&
           (attention.pass == Pass::forward || has_known_gradients(subject));
}

}  // namespace

std::optional<FactorRule> attention_rule(const Subject& subject, const FusedAttention& attention) {
    if (!fits(subject, attention)) return std::nullopt;
    return AttentionFactors{subject, attention}.rule;
}

}  // namespace dse::ir::partition
