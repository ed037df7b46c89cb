#include "ir/partition/factor_rule.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "ir/partition/indexed_factors.hpp"
#include "ir/partition/reshape_factors.hpp"

namespace dse::ir::partition {
namespace {

using Kind = FactorRule::Kind;
using Number = FactorRule::Number;

// An operation and the types that its rule is made of.
struct Subject {
    const Program& program;
    const Operation& operation;

    [[nodiscard]] std::size_t operands() const { return operation.operands.count; }
    [[nodiscard]] const Type& operand(std::size_t i) const {
        return program.types[program.type_of(program.operands(operation)[i])];
    }
    [[nodiscard]] const Type& result(std::size_t i = 0) const {
        return program.types[program.type_of(Program::result(operation, i))];
    }
    template <class T>
    [[nodiscard]] const T* attribute() const {
        return program.attribute_if<T>(operation);
    }
};

bool contains(const Sizes& numbers, std::size_t dimension) {
    return std::find(numbers.begin(), numbers.end(), static_cast<std::int64_t>(dimension)) != numbers.end();
}

bool in_range(const Sizes& numbers, std::size_t rank) {
    return std::all_of(numbers.begin(), numbers.end(), [rank](std::int64_t number) {
        return number >= 0 && static_cast<std::size_t>(number) < rank;
    });
}

FactorRule::Tensor own_factors(FactorRule& rule, const Type& type, Kind kind = Kind::parallel) {
    FactorRule::Tensor tensor;
    for (const std::int64_t size : type.sizes) tensor.push_back({rule.add(size, kind)});
    return tensor;
}

FactorRule::Tensor no_factors(const Type& type) {
    return FactorRule::Tensor(type.sizes.size());
}

// Every operand and result of equal rank lies alike, but for the dimensions where `splits` says no.
template <class Splits>
FactorRule alike_where(const Subject& subject, Splits splits) {
    FactorRule rule;
    const Type& shape = subject.result();
    FactorRule::Tensor tensor;
    for (std::size_t d = 0; d < shape.sizes.size(); ++d)
        tensor.push_back({rule.add(shape.sizes[d], splits(d) ? Kind::parallel : Kind::whole)});
    const auto fits = [&shape](const Type& type) { return type.sizes.size() == shape.sizes.size(); };
    for (std::size_t i = 0; i < subject.operands(); ++i)
        rule.operands.push_back(fits(subject.operand(i)) ? tensor : no_factors(subject.operand(i)));
    for (std::size_t i = 0; i < subject.operation.results.count; ++i)
        rule.results.push_back(fits(subject.result(i)) ? tensor : no_factors(subject.result(i)));
    return rule;
}

std::optional<FactorRule> dot_rule(const Subject& subject) {
    const auto* dims = subject.attribute<DotDimensions>();
    if (dims == nullptr || subject.operands() < 2) return std::nullopt;
    const Type& lhs = subject.operand(0);
    const Type& rhs = subject.operand(1);
    if (!in_range(dims->lhs_batch, lhs.sizes.size()) || !in_range(dims->rhs_batch, rhs.sizes.size()) ||
        !in_range(dims->lhs_contracting, lhs.sizes.size()) ||
        !in_range(dims->rhs_contracting, rhs.sizes.size()))
        return std::nullopt;
    FactorRule rule;
    rule.operands = {no_factors(lhs), no_factors(rhs)};
    FactorRule::Tensor result;
    for (std::size_t i = 0; i < dims->lhs_batch.size(); ++i) {
        const auto l = static_cast<std::size_t>(dims->lhs_batch[i]);
        const Number factor = rule.add(lhs.sizes[l]);
        rule.operands[0][l] = {factor};
        rule.operands[1][static_cast<std::size_t>(dims->rhs_batch[i])] = {factor};
        result.push_back({factor});
    }
    for (std::size_t i = 0; i < dims->lhs_contracting.size(); ++i) {
        const auto l = static_cast<std::size_t>(dims->lhs_contracting[i]);
        const Number factor = rule.add(lhs.sizes[l], Kind::reduction);
        rule.operands[0][l] = {factor};
        rule.operands[1][static_cast<std::size_t>(dims->rhs_contracting[i])] = {factor};
    }
    for (std::size_t side = 0; side < 2; ++side) {
        const Type& type = side == 0 ? lhs : rhs;
        for (std::size_t d = 0; d < type.sizes.size(); ++d) {
            if (!rule.operands[side][d].empty()) continue;
            const Number factor = rule.add(type.sizes[d]);
            rule.operands[side][d] = {factor};
            result.push_back({factor});
        }
    }
    rule.results = {std::move(result)};
    return rule;
}

std::optional<FactorRule> reduce_rule(const Subject& subject) {
    const auto* dims = subject.attribute<Dimensions>();
    if (dims == nullptr || subject.operands() == 0 || subject.operands() % 2 != 0) return std::nullopt;
    FactorRule rule;
    const std::size_t inputs = subject.operands() / 2;
    const Type& shape = subject.operand(0);
    FactorRule::Tensor input;
    FactorRule::Tensor result;
    for (std::size_t d = 0; d < shape.sizes.size(); ++d) {
        const bool reduced = contains(dims->numbers, d);
        input.push_back({rule.add(shape.sizes[d], reduced ? Kind::reduction : Kind::parallel)});
        if (!reduced) result.push_back(input.back());
    }
    for (std::size_t i = 0; i < inputs; ++i) rule.operands.push_back(input);
    for (std::size_t i = inputs; i < 2 * inputs; ++i) rule.operands.push_back(no_factors(subject.operand(i)));
    rule.results.assign(subject.operation.results.count, result);
    return rule;
}

std::optional<FactorRule> broadcast_rule(const Subject& subject) {
    if (subject.operands() == 0) return std::nullopt;
    const auto* dims = subject.attribute<Dimensions>();
    const Type& from = subject.operand(0);
    const Type& to = subject.result();
    const std::size_t mapped = dims == nullptr ? 0 : dims->numbers.size();
    if (mapped != from.sizes.size() || (dims != nullptr && !in_range(dims->numbers, to.sizes.size())))
        return std::nullopt;
    FactorRule rule;
    rule.results = {own_factors(rule, to)};
    FactorRule::Tensor operand = no_factors(from);
    for (std::size_t d = 0; d < mapped; ++d) {
        const auto target = static_cast<std::size_t>(dims->numbers[d]);
        if (from.sizes[d] == to.sizes[target]) operand[d] = rule.results[0][target];
    }
    rule.operands = {std::move(operand)};
    for (std::size_t i = 1; i < subject.operands(); ++i)
        rule.operands.push_back(no_factors(subject.operand(i)));
    return rule;
}

std::optional<FactorRule> transpose_rule(const Subject& subject) {
    if (subject.operands() == 0) return std::nullopt;
    const auto* dims = subject.attribute<Dimensions>();
    const Type& from = subject.operand(0);
    if (dims == nullptr || dims->numbers.size() != from.sizes.size() ||
        !in_range(dims->numbers, from.sizes.size()))
        return std::nullopt;
    FactorRule rule;
    rule.operands = {own_factors(rule, from)};
    FactorRule::Tensor result;
    for (const std::int64_t number : dims->numbers)
        result.push_back(rule.operands[0][static_cast<std::size_t>(number)]);
    rule.results = {std::move(result)};
    return rule;
}

// Batch, output features and, where there is one group, input features; windows lie whole.
std::optional<FactorRule> convolution_rule(const Subject& subject) {
    const auto* dims = subject.attribute<ConvolutionDimensions>();
    if (dims == nullptr || subject.operands() < 2) return std::nullopt;
    const auto at = [](std::int64_t number) { return static_cast<std::size_t>(number); };
    if (!in_range({dims->input_batch, dims->input_feature}, subject.operand(0).sizes.size()) ||
        !in_range({dims->kernel_input_feature, dims->kernel_output_feature},
                  subject.operand(1).sizes.size()) ||
        !in_range({dims->output_batch, dims->output_feature}, subject.result().sizes.size()))
        return std::nullopt;
    const Type& input = subject.operand(0);
    const Type& kernel = subject.operand(1);
    const bool grouped = dims->feature_groups != 1 || dims->batch_groups != 1;
    FactorRule rule;
    rule.operands = {own_factors(rule, input, Kind::whole), own_factors(rule, kernel, Kind::whole)};
    rule.results = {own_factors(rule, subject.result(), Kind::whole)};
    if (dims->batch_groups == 1) {
        const Number batch = rule.add(input.sizes[at(dims->input_batch)]);
        rule.operands[0][at(dims->input_batch)] = rule.results[0][at(dims->output_batch)] = {batch};
    }
    if (!grouped) {
        const Number output = rule.add(kernel.sizes[at(dims->kernel_output_feature)]);
        rule.operands[1][at(dims->kernel_output_feature)] = {output};
        rule.results[0][at(dims->output_feature)] = {output};
        const Number features = rule.add(input.sizes[at(dims->input_feature)], Kind::reduction);
        rule.operands[0][at(dims->input_feature)] = {features};
        rule.operands[1][at(dims->kernel_input_feature)] = {features};
    }
    return rule;
}

template <class Splits>
std::optional<FactorRule> alike_unless_empty(const Subject& subject, Splits splits) {
    if (subject.operands() == 0) return std::nullopt;
    return alike_where(subject, splits);
}

// Of select_and_scatter the windows lie over the first operand, and the second has one element for each.
std::optional<FactorRule> window_rule(const Subject& subject) {
    const auto* window = subject.attribute<Window>();
    const bool scatters = subject.operation.opcode == Opcode::select_and_scatter;
    if (window == nullptr || subject.operands() < (scatters ? 2U : 1U)) return std::nullopt;
    const Sizes& few = scatters ? subject.operand(1).sizes : subject.result().sizes;
    const Sizes& many = subject.operand(0).sizes;
    if (many.size() != few.size() || window->dimensions.size() != few.size()) return std::nullopt;
    return alike_where(subject,
                       [&](std::size_t d) { return window->dimensions[d].size == 1 && many[d] == few[d]; });
}

std::optional<FactorRule> along_named_dimension(const Subject& subject) {
    const auto* dims = subject.attribute<Dimensions>();
    if (dims == nullptr) return std::nullopt;
    return alike_unless_empty(subject, [&](std::size_t d) { return !contains(dims->numbers, d); });
}

// What keeps a dimension's size leaves it alone; the others are cut, padded or joined and lie whole.
std::optional<FactorRule> where_sizes_stay(const Subject& subject) {
    if (subject.operands() == 0 || subject.operand(0).sizes.size() != subject.result().sizes.size())
        return std::nullopt;
    return alike_unless_empty(
        subject, [&](std::size_t d) { return subject.operand(0).sizes[d] == subject.result().sizes[d]; });
}

std::optional<FactorRule> update_rule(const Subject& subject) {
    if (subject.operands() < 2 || subject.operand(1).sizes.size() != subject.result().sizes.size())
        return std::nullopt;
    return alike_where(
        subject, [&](std::size_t d) { return subject.operand(1).sizes[d] == subject.result().sizes[d]; });
}

std::optional<FactorRule> fft_rule(const Subject& subject) {
    const auto* fft = subject.attribute<FftLengths>();
    const std::size_t last = fft == nullptr ? subject.result().sizes.size() : fft->lengths.size();
    return alike_unless_empty(subject,
                              [&](std::size_t d) { return d + last < subject.result().sizes.size(); });
}

// Of known sizes, too: what a run decides cannot be cut beforehand.
bool arrays_only(const Subject& subject) {
    const auto is_array = [](const Type& type) {
        return type.kind == Type::Kind::array && type.ranked &&
               std::find(type.sizes.begin(), type.sizes.end(), unknown_size) == type.sizes.end();
    };
    for (std::size_t i = 0; i < subject.operands(); ++i)
        if (!is_array(subject.operand(i))) return false;
    for (std::size_t i = 0; i < subject.operation.results.count; ++i)
        if (!is_array(subject.result(i))) return false;
    return true;
}

std::optional<FactorRule> rule_of(const Subject& subject) {
    switch (subject.operation.opcode) {
        case Opcode::dot:
            return dot_rule(subject);
        case Opcode::reduce:
            return reduce_rule(subject);
        case Opcode::broadcast:
            return broadcast_rule(subject);
        case Opcode::transpose:
            return transpose_rule(subject);
        case Opcode::reshape:
        case Opcode::bitcast:
            if (subject.operands() != 1) return std::nullopt;
            return reshape_rule(subject.operand(0).sizes, subject.result().sizes);
        case Opcode::convolution:
            return convolution_rule(subject);
        case Opcode::gather:
            return gather_rule(subject.program, subject.operation);
        case Opcode::scatter:
            return scatter_rule(subject.program, subject.operation);
        case Opcode::slice:
        case Opcode::dynamic_slice:
        case Opcode::pad:
            return where_sizes_stay(subject);
        case Opcode::dynamic_update_slice:
            return update_rule(subject);
        case Opcode::concatenate:
        case Opcode::reverse:
        case Opcode::sort:
        case Opcode::topk:
            return along_named_dimension(subject);
        case Opcode::reduce_window:
        case Opcode::select_and_scatter:
            return window_rule(subject);
        case Opcode::fft:
            return fft_rule(subject);
        case Opcode::constant:
        case Opcode::iota:
        case Opcode::fill:
        case Opcode::rng: {
            FactorRule rule;
            for (std::size_t i = 0; i < subject.operands(); ++i)
                rule.operands.push_back(no_factors(subject.operand(i)));
            rule.results = {own_factors(rule, subject.result())};
            return rule;
        }
        case Opcode::copy:
        case Opcode::bitcast_convert:
            return where_sizes_stay(subject);
        case Opcode::partition_id:
        case Opcode::replica_id: {
            FactorRule rule;
            rule.results = {no_factors(subject.result())};
            return rule;
        }
        default:
            break;
    }
    const OpcodeClass family = opcode_class(subject.operation.opcode);
    if (family == OpcodeClass::elementwise || family == OpcodeClass::transcendental)
        return alike_unless_empty(subject, [](std::size_t) { return true; });
    return std::nullopt;
}

// A rule that is too short for an array would be read beyond its end.
void require_fit(const FactorRule& rule, const Subject& subject) {
    const auto fit = [](const FactorRule::Tensor& tensor, const Type& type) {
        return tensor.size() == type.sizes.size();
    };
    bool all =
        rule.operands.size() == subject.operands() && rule.results.size() == subject.operation.results.count;
    for (std::size_t i = 0; all && i < rule.operands.size(); ++i)
        all = fit(rule.operands[i], subject.operand(i));
    for (std::size_t i = 0; all && i < rule.results.size(); ++i)
        all = fit(rule.results[i], subject.result(i));
    if (!all)
        throw ModelError(fmt::format(
            "line {}: the result of '{}' has not the dimensions that its operands and attributes give",
            subject.operation.line, subject.program.text(subject.operation.name)));
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

Turn turn_of(Opcode opcode) {
    switch (opcode_class(opcode)) {
        case OpcodeClass::elementwise:
        case OpcodeClass::transcendental:
        case OpcodeClass::control:
        case OpcodeClass::bookkeeping:
            return Turn::first;
        default:
            break;
    }
    switch (opcode) {
        case Opcode::reshape:
        case Opcode::transpose:
        case Opcode::copy:
        case Opcode::bitcast:
        case Opcode::bitcast_convert:
            return Turn::first;
        case Opcode::broadcast:
            return Turn::last;
        default:
            return Turn::second;
    }
}

}  // namespace dse::ir::partition
