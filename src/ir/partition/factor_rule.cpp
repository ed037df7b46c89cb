#include "ir/partition/factor_rule.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "dse/ir/program/program_error.hpp"
#include "ir/partition/opcode_parts.hpp"

namespace dse::ir::partition {
namespace {

// Whether all are arrays with known sizes: dynamic sizes cannot be partitioned in advance.
bool arrays_only(const Subject& subject) {
    const auto is_array = [](const Type& type) {
        return type.kind == Type::Kind::array && type.ranked &&
               std::find(type.sizes.begin(), type.sizes.end(), unknown_size) == type.sizes.end();
    };
    for (std::size_t i = 0; i < subject.operands(); ++i)
        if (!is_array(subject.operand(i))) return false;
    for (std::size_t i = 0; i < subject.results(); ++i)
        if (!is_array(subject.result(i))) return false;
    return true;
}

// Checks the rank of each array: a shorter rule would be read beyond its end.
void require_fit(const FactorRule& rule, const Subject& subject) {
    const auto fit = [](const FactorRule::Tensor& tensor, const Type& type) {
        return tensor.size() == type.sizes.size();
    };
    bool all = rule.operands.size() == subject.operands() && rule.results.size() == subject.results();
    for (std::size_t i = 0; all && i < rule.operands.size(); ++i)
        all = fit(rule.operands[i], subject.operand(i));
    for (std::size_t i = 0; all && i < rule.results.size(); ++i)
        all = fit(rule.results[i], subject.result(i));
    if (!all)
        throw ProgramError(
            subject.operation.line,
            fmt::format("the dimensions of the result of '{}' do not follow from its operands and attributes",
                        subject.program.text(subject.operation.name)));
}

}  // namespace

FactorRule::Number FactorRule::add(std::int64_t size, Kind kind) {
    factors.push_back({size, kind});
    return static_cast<Number>(factors.size() - 1);
}

std::optional<FactorRule> factor_rule(const Program& program, const Operation& operation) {
    const Subject subject{program, operation};
    OpcodeParts::Rule* const rule_of = opcode_parts(operation.opcode).rule;
    if (rule_of == nullptr || operation.results.count == 0 || !arrays_only(subject)) return std::nullopt;
    std::optional<FactorRule> rule = rule_of(subject);
    if (rule) require_fit(*rule, subject);
    return rule;
}

FactorRule alike(const std::vector<const Type*>& operands, const std::vector<const Type*>& results) {
    FactorRule rule;
    const std::vector<const Type*>& shapes = results.empty() ? operands : results;
    FactorRule::Tensor tensor = own_factors(rule, *shapes.front());
    const auto lies = [&tensor](const Type* type) {
        return type->sizes.size() == tensor.size() ? tensor : no_factors(*type);
    };
    for (const Type* type : operands) rule.operands.push_back(lies(type));
    for (const Type* type : results) rule.results.push_back(lies(type));
    return rule;
}

bool is_computed_apart(FactorRule::Kind kind) {
    return kind == FactorRule::Kind::parallel || kind == FactorRule::Kind::reduction;
}

}  // namespace dse::ir::partition
