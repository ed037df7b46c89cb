#include "ir/partition/factor_rule.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "dse/ir/program/program_error.hpp"
#include "ir/partition/contraction_factors.hpp"
#include "ir/partition/foreign_factors.hpp"
#include "ir/partition/indexed_factors.hpp"
#include "ir/partition/movement_factors.hpp"
#include "ir/partition/reshape_factors.hpp"

namespace dse::ir::partition {
namespace {

using Factor = FactorRule::Factor;
using Kind = FactorRule::Kind;

std::optional<FactorRule> elementwise_rule(const Subject& subject) {
    if (subject.operands() == 0) return std::nullopt;
    return alike_with(subject, subject.result(),
                      [&](std::size_t d) { return Factor{subject.result().sizes[d]}; });
}

// What is made of nothing, or of scalars.
FactorRule made_rule(const Subject& subject) {
    FactorRule rule;
    for (std::size_t i = 0; i < subject.operands(); ++i)
        rule.operands.push_back(no_factors(subject.operand(i)));
    rule.results = {own_factors(rule, subject.result())};
    return rule;
}

// The state, before and after, lies whole on every device.
std::optional<FactorRule> generator_rule(const Subject& subject) {
    if (subject.operands() != 1 || subject.results() != 2 || subject.operand(0) != subject.result(0))
        return std::nullopt;
    FactorRule rule;
    rule.operands = {own_factors(rule, subject.operand(0), Kind::whole)};
    for (Factor& factor : rule.factors) factor.blocked = true;
    rule.results = {rule.operands[0]};
    rule.results.push_back(own_factors(rule, subject.result(1)));
    return rule;
}

FactorRule device_number_rule(const Subject& subject) {
    FactorRule rule;
    rule.results = {no_factors(subject.result())};
    return rule;
}

// Of known sizes, too: what a run decides cannot be cut beforehand.
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

std::optional<FactorRule> rule_of(const Subject& subject) {
    switch (subject.operation.opcode) {
        case Opcode::dot:
            return dot_rule(subject);
        case Opcode::reduce:
            return reduce_rule(subject);
        case Opcode::cholesky:
            return factorization_rule(subject);
        case Opcode::convolution:
            return convolution_rule(subject);
        case Opcode::broadcast:
            return broadcast_rule(subject);
        case Opcode::transpose:
            return transpose_rule(subject);
        case Opcode::reshape:
        case Opcode::bitcast:
            if (subject.operands() != 1) return std::nullopt;
            return reshape_rule(subject.operand(0).sizes, subject.result().sizes);
        case Opcode::gather:
            return gather_rule(subject.program, subject.operation);
        case Opcode::scatter:
            return scatter_rule(subject.program, subject.operation);
        case Opcode::slice:
        case Opcode::pad:
            return cut_rule(subject);
        case Opcode::dynamic_slice:
            return dynamic_slice_rule(subject);
        case Opcode::dynamic_update_slice:
            return dynamic_update_rule(subject);
        case Opcode::concatenate:
            return concatenate_rule(subject);
        case Opcode::reverse:
            return reverse_rule(subject);
        case Opcode::sort:
        case Opcode::topk:
            return sort_rule(subject);
        case Opcode::reduce_window:
        case Opcode::select_and_scatter:
            return window_rule(subject);
        case Opcode::fft:
            return fft_rule(subject);
        case Opcode::constant:
        case Opcode::iota:
        case Opcode::fill:
        case Opcode::rng:
            return made_rule(subject);
        case Opcode::rng_bit_generator:
            return generator_rule(subject);
        case Opcode::custom_call:
            return foreign_rule(subject);
        case Opcode::copy:
            return elementwise_rule(subject);
        case Opcode::bitcast_convert:
            return bitcast_rule(subject);
        case Opcode::partition_id:
        case Opcode::replica_id:
            return device_number_rule(subject);
        default:
            break;
    }
    const OpcodeClass family = opcode_class(subject.operation.opcode);
    if (family == OpcodeClass::elementwise || family == OpcodeClass::transcendental)
        return elementwise_rule(subject);
    return std::nullopt;
}

// A rule that is too short for an array would be read beyond its end.
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
            fmt::format("the result of '{}' has not the dimensions that its operands and attributes give",
                        subject.program.text(subject.operation.name)));
}

}  // namespace

FactorRule::Number FactorRule::add(std::int64_t size, Kind kind) {
    factors.push_back({size, kind});
    return static_cast<Number>(factors.size() - 1);
}

std::optional<FactorRule> factor_rule(const Program& program, const Operation& operation) {
    const Subject subject{program, operation};
    if (operation.results.count == 0 || !arrays_only(subject)) return std::nullopt;
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
    return kind == Kind::parallel || kind == Kind::reduction;
}

}  // namespace dse::ir::partition
