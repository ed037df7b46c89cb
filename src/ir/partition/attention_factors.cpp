#include "ir/partition/attention_factors.hpp"

#include <utility>

namespace dse::ir::partition {
namespace {

using Kind = FactorRule::Kind;
using Number = FactorRule::Number;

class AttentionFactors {
  public:
    AttentionFactors(const Subject& subject, const FusedAttention& attention)
        : queries_{subject.operand(0).sizes}, keys_{subject.operand(1).sizes} {
        const std::size_t heads = attention.heads();
        const std::size_t sequence = attention.sequence();
        const bool forward = attention.pass == FusedAttention::Pass::forward;
        const Number batch = rule.add(queries_[0]);
        const Number group = rule.add(keys_[heads]);
        const Number member = rule.add(queries_[heads] / keys_[heads]);
        const Number query = rule.add(queries_[sequence], forward ? Kind::parallel : Kind::whole);
        const Number key = rule.add(keys_[sequence], Kind::whole);
        const Number size = rule.add(queries_[3], Kind::whole);
        as_queries_ = as_keys_ = FactorRule::Tensor(4);
        as_queries_[0] = as_keys_[0] = {batch};
        as_queries_[heads] = {group, member};
        as_keys_[heads] = {group};
        as_queries_[sequence] = {query};
        as_keys_[sequence] = {key};
        as_queries_[3] = as_keys_[3] = {size};
        as_grouped_rows_ = {{batch}, {group}, {member}, {query}};
        as_rows_ = {{batch}, {group, member}, {query}};
        for (std::size_t i = 0; i < subject.operands(); ++i)
            rule.operands.push_back(like(subject.operand(i)));
        for (std::size_t i = 0; i < subject.results(); ++i) rule.results.push_back(like(subject.result(i)));
        // Queries may have as many heads, and be as long, as keys: then only their places tell them apart.
        rule.operands[1] = rule.operands[2] = as_keys_;
        if (!forward)
            for (std::size_t i = 1; i < rule.results.size(); ++i) rule.results[i] = as_keys_;
    }
    FactorRule rule;

  private:
    [[nodiscard]] FactorRule::Tensor like(const Type& type) const {
        for (const auto* tensor : {&as_queries_, &as_keys_, &as_grouped_rows_, &as_rows_})
            if (type.sizes == sizes_of(*tensor)) return *tensor;
        return no_factors(type);
    }
    [[nodiscard]] Sizes sizes_of(const FactorRule::Tensor& tensor) const {
        Sizes sizes;
        for (const auto& dimension : tensor) {
            sizes.push_back(1);
            for (const Number factor : dimension) sizes.back() *= rule.factors[factor].size;
        }
        return sizes;
    }

    const Sizes& queries_;
    const Sizes& keys_;
    FactorRule::Tensor as_queries_;
    FactorRule::Tensor as_keys_;
    FactorRule::Tensor as_grouped_rows_;
    FactorRule::Tensor as_rows_;
};

bool fits(const Subject& subject, const FusedAttention& attention) {
    if (subject.operands() < 3) return false;
    const Sizes& queries = subject.operand(0).sizes;
    const Sizes& keys = subject.operand(1).sizes;
    if (queries.size() != 4 || keys.size() != 4 || subject.operand(2).sizes != keys) return false;
    const std::size_t heads = attention.heads();
    const bool results_fit = attention.pass == FusedAttention::Pass::forward || subject.results() <= 3;
    return queries[0] == keys[0] && queries[3] == keys[3] && keys[heads] > 0 &&
           queries[heads] % keys[heads] == 0 && results_fit;
}

}  // namespace

std::optional<FactorRule> attention_rule(const Subject& subject, const FusedAttention& attention) {
    if (!fits(subject, attention)) return std::nullopt;
    return AttentionFactors{subject, attention}.rule;
}

}  // namespace dse::ir::partition
