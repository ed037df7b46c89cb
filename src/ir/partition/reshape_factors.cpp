#include "ir/partition/reshape_factors.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace dse::ir::partition {
namespace {

using Kind = FactorRule::Kind;

// One side of a reshape. Its dimensions are visited from major to minor, skipping those of size 1.
struct Side {
    const Sizes& sizes;
    FactorRule::Tensor& factors;
    std::size_t dimension{0};
    std::int64_t rest{1};   ///< what is left of the current dimension
    std::int64_t taken{1};  ///< product of all factors so far

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
        taken *= size;
        if (rest == 1) to_next(dimension + 1);
    }
};

// The factor that the side with the smaller product takes: the one that makes both equal, else the largest
// common one.
std::int64_t catching_up(const Side& behind, const Side& ahead) {
    const std::int64_t missing = ahead.taken / behind.taken;
    if (ahead.taken % behind.taken == 0 && behind.rest % missing == 0) return missing;
    const std::int64_t common = std::gcd(behind.rest, ahead.rest);
    return behind.rest > common ? behind.rest / common : behind.rest;
}

void take_alone(FactorRule& rule, Side& side, std::int64_t size) {
    side.take(rule.add(size, Kind::whole), size);
}

}  // namespace

FactorRule reshape_rule(const Sizes& from_sizes, const Sizes& to_sizes) {
    FactorRule rule;
    rule.operands.resize(1);
    rule.results.resize(1);
    Side from{from_sizes, rule.operands[0]};
    Side to{to_sizes, rule.results[0]};
    const auto empty = [](std::int64_t size) { return size <= 0; };
    if (std::any_of(from_sizes.begin(), from_sizes.end(), empty) ||
        std::any_of(to_sizes.begin(), to_sizes.end(), empty))
        return rule;
    while (!from.done() && !to.done()) {
        if (from.taken < to.taken) {
            take_alone(rule, from, catching_up(from, to));
        } else if (to.taken < from.taken) {
            take_alone(rule, to, catching_up(to, from));
        } else if (const std::int64_t common = std::gcd(from.rest, to.rest); common > 1) {
            const FactorRule::Number factor = rule.add(common);
            from.take(factor, common);
            to.take(factor, common);
        } else {
            take_alone(rule, from, from.rest);
            take_alone(rule, to, to.rest);
        }
    }
    while (!from.done()) take_alone(rule, from, from.rest);
    while (!to.done()) take_alone(rule, to, to.rest);
    return rule;
}

std::optional<FactorRule> reshape_rule(const Subject& subject) {
    if (subject.operands() != 1) return std::nullopt;
    return reshape_rule(subject.operand(0).sizes, subject.result().sizes);
}

}  // namespace dse::ir::partition
