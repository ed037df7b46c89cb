#include "ir/partition/plain_factors.hpp"

#include <cstddef>

namespace dse::ir::partition {

using Factor = FactorRule::Factor;

std::optional<FactorRule> elementwise_rule(const Subject& subject) {
    if (subject.operands() == 0) return std::nullopt;
    return alike_with(subject, subject.result(),
                      [&](std::size_t d) { return Factor{subject.result().sizes[d]}; });
}

std::optional<FactorRule> made_rule(const Subject& subject) {
    FactorRule rule;
    for (std::size_t i = 0; i < subject.operands(); ++i)
        rule.operands.push_back(no_factors(subject.operand(i)));
    rule.results = {own_factors(rule, subject.result())};
    return rule;
}

std::optional<FactorRule> generator_rule(const Subject& subject) {
    if (subject.operands() != 1 || subject.results() != 2 || subject.operand(0) != subject.result(0))
        return std::nullopt;
    FactorRule rule;
    rule.operands = {own_factors(rule, subject.operand(0), FactorRule::Kind::whole)};
    for (Factor& factor : rule.factors) factor.blocked = true;
    rule.results = {rule.operands[0]};
    rule.results.push_back(own_factors(rule, subject.result(1)));
    return rule;
}

std::optional<FactorRule> device_number_rule(const Subject& subject) {
    FactorRule rule;
    rule.results = {no_factors(subject.result())};
    return rule;
}

}  // namespace dse::ir::partition
