#include "ir/partition/reshape_factors.hpp"

#include <cstddef>

namespace dse::ir::partition {
namespace {

// One side of a reshape: dimensions of size 1 aside, they are walked from major to minor.
struct Side {
    const Sizes& sizes;
    FactorRule::Tensor& factors;
    std::size_t dimension{0};
    std::int64_t rest{1};  ///< of the current dimension, what no factor took yet

    Side(const Sizes& sizes_in, FactorRule::Tensor& factors_in) : sizes{sizes_in}, factors{factors_in} {
        factors.resize(sizes.size());
        to_next(0);
    }
    void to_next(std::size_t from) {
        dimension = from;
        while (dimension < sizes.size() && sizes[dimension] == 1) ++dimension;
        rest = dimension < sizes.size() ? sizes[dimension] : 1;
    }
    [[nodiscard]] bool done() const { return dimension >= sizes.size(); }
    void take(FactorRule::Number factor, std::int64_t size) {
        factors[dimension].push_back(factor);
        rest /= size;
        if (rest == 1) to_next(dimension + 1);
    }
};

// Dimensions of both sides that only together hold equally many elements: nothing of them can be split.
void take_whole(FactorRule& rule, Side& from, Side& to) {
    const FactorRule::Number factor = rule.add(from.rest, FactorRule::Kind::whole);
    from.factors[from.dimension].push_back(factor);
    to.factors[to.dimension].push_back(factor);
    std::int64_t left = from.rest;
    std::int64_t right = to.rest;
    while (left != right && !from.done() && !to.done()) {
        Side& shorter = left < right ? from : to;
        std::int64_t& elements = left < right ? left : right;
        shorter.to_next(shorter.dimension + 1);
        if (shorter.done()) return;
        elements *= shorter.rest;
        shorter.factors[shorter.dimension].push_back(rule.add(shorter.rest, FactorRule::Kind::whole));
    }
    if (!from.done()) from.to_next(from.dimension + 1);
    if (!to.done()) to.to_next(to.dimension + 1);
}

}  // namespace

FactorRule reshape_rule(const Sizes& from_sizes, const Sizes& to_sizes) {
    FactorRule rule;
    rule.operands.resize(1);
    rule.results.resize(1);
    Side from{from_sizes, rule.operands[0]};
    Side to{to_sizes, rule.results[0]};
    while (!from.done() && !to.done()) {
        if (from.rest <= 0 || to.rest <= 0) break;
        if (from.rest % to.rest == 0 || to.rest % from.rest == 0) {
            const std::int64_t size = from.rest < to.rest ? from.rest : to.rest;
            const FactorRule::Number factor = rule.add(size);
            from.take(factor, size);
            to.take(factor, size);
        } else {
            take_whole(rule, from, to);
        }
    }
    return rule;
}

}  // namespace dse::ir::partition
