#include "ir/partition/rule_table.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "dse/base/hash.hpp"
#include "ir/partition/movement_factors.hpp"
#include "ir/partition/opcode_parts.hpp"
#include "ir/partition/plain_factors.hpp"

namespace dse::ir::partition {
namespace {

void append(std::vector<std::uint64_t>& key, const Sizes& numbers) {
    key.push_back(numbers.size());
    for (const std::int64_t number : numbers) key.push_back(static_cast<std::uint64_t>(number));
}

// Rules that depend on types only.
constexpr std::array<OpcodeParts::Rule*, 4> of_types{elementwise_rule, made_rule, cut_rule,
                                                     dynamic_slice_rule};

// Appends the dimension numbers that a rule may depend on. \return false if it may depend on something else
bool read_attribute(const Attribute& attribute, std::vector<std::uint64_t>& key) {
    if (std::holds_alternative<std::monostate>(attribute)) return true;
    if (const auto* dimensions = std::get_if<Dimensions>(&attribute)) {
        append(key, dimensions->numbers);
        return true;
    }
    const auto* dot = std::get_if<DotDimensions>(&attribute);
    if (dot == nullptr) return false;
    for (const Sizes* numbers :
         {&dot->lhs_batch, &dot->rhs_batch, &dot->lhs_contracting, &dot->rhs_contracting})
        append(key, *numbers);
    return true;
}

}  // namespace

std::size_t RuleTable::Hash::operator()(const Key& key) const noexcept {
    return static_cast<std::size_t>(checksum(std::as_bytes(std::span{key})));
}

const std::shared_ptr<const FactorRule>& RuleTable::of(const Operation& operation) {
    if (!read_key(operation)) return other_ = derived(operation);
    const auto found = known_.find(key_);
    return found != known_.end() ? found->second : known_.emplace(key_, derived(operation)).first->second;
}

bool RuleTable::read_key(const Operation& operation) {
    if (operation.opcode == Opcode::concatenate) return false;  // depends on what defines its operands
    OpcodeParts::Rule* const rule = opcode_parts(operation.opcode).rule;
    key_.assign({static_cast<std::uint64_t>(operation.opcode), operation.operands.count,
                 operation.results.count, operation.attribute == no_attribute ? 0U : 1U});
    for (const ValueId operand : program_.operands(operation))
        key_.push_back(program_.type_of(operand).index());
    for (std::size_t i = 0; i < operation.results.count; ++i)
        key_.push_back(program_.type_of(Program::result(operation, i)).index());
    const bool needs_no_more = std::find(of_types.begin(), of_types.end(), rule) != of_types.end();
    return needs_no_more || read_attribute(program_.attribute(operation), key_);
}

std::shared_ptr<const FactorRule> RuleTable::derived(const Operation& operation) const {
    std::optional<FactorRule> rule = factor_rule(program_, operation);
    return rule ? std::make_shared<const FactorRule>(std::move(*rule)) : nullptr;
}

}  // namespace dse::ir::partition
