#include "ir/partition/movement_factors.hpp"

#include <algorithm>
#include <utility>

namespace dse::ir::partition {
namespace {

using Factor = FactorRule::Factor;
using Kind = FactorRule::Kind;

// Dimensions whose size stays the same are unaffected; `cut` is the kind of the others.
std::optional<FactorRule> where_sizes_stay(const Subject& subject, Kind cut, bool blocked) {
    if (subject.operands() == 0 || subject.operand(0).sizes.size() != subject.result().sizes.size())
        return std::nullopt;
    const Sizes& from = subject.operand(0).sizes;
    const Sizes& to = subject.result().sizes;
    return alike_with(subject, subject.operand(0), [&](std::size_t d) {
        return from[d] == to[d] ? Factor{from[d]} : Factor{from[d], cut, blocked};
    });
}

// The value that an operand is a slice of; the operand itself if it is not a slice.
ValueId before_slice(const Subject& subject, std::size_t operand) {
    const Operation* definition = subject.definition(operand);
    const bool sliced = definition != nullptr && definition->opcode == Opcode::slice;
    return sliced ? subject.program.operands(*definition)[0]
                  : subject.program.operands(subject.operation)[operand];
}

// Whether slices of arrays, or an array and slices of itself, are joined (rotations, wrapping pads): shifts
// of parts.
bool joins_shifted_parts(const Subject& subject) {
    const auto is_slice = [&](std::size_t i) {
        return before_slice(subject, i) != subject.program.operands(subject.operation)[i];
    };
    std::size_t slices = 0;
    std::size_t of_one = 0;
    for (std::size_t i = 0; i < subject.operands(); ++i) {
        slices += is_slice(i) ? 1 : 0;
        of_one += before_slice(subject, i) == before_slice(subject, 0) ? 1 : 0;
    }
    return slices == subject.operands() || (slices > 0 && of_one == subject.operands());
}

}  // namespace

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
    // In the order of the result's dimensions, which decides which factor gets a disputed axis.
    FactorRule rule;
    rule.operands = {no_factors(from)};
    rule.results = {FactorRule::Tensor{}};
    for (const std::int64_t number : dims->numbers) {
        const auto d = static_cast<std::size_t>(number);
        rule.operands[0][d] = {rule.add(from.sizes[d])};
        rule.results[0].push_back(rule.operands[0][d]);
    }
    return rule;
}

std::optional<FactorRule> cut_rule(const Subject& subject) {
    return where_sizes_stay(subject, Kind::permutation, false);
}

std::optional<FactorRule> dynamic_slice_rule(const Subject& subject) {
    return where_sizes_stay(subject, Kind::whole, true);
}

std::optional<FactorRule> dynamic_update_rule(const Subject& subject) {
    if (subject.operands() < 2) return std::nullopt;
    const Sizes& array = subject.operand(0).sizes;
    const Sizes& update = subject.operand(1).sizes;
    if (update.size() != array.size()) return std::nullopt;
    FactorRule rule;
    rule.operands = {FactorRule::Tensor{}, FactorRule::Tensor{}};
    for (std::size_t d = 0; d < array.size(); ++d) {
        rule.operands[0].push_back({rule.add(array[d])});
        rule.operands[1].push_back(update[d] == array[d]
                                       ? rule.operands[0].back()
                                       : FactorRule::Tensor::value_type{rule.add(update[d], Kind::whole)});
    }
    rule.results = {rule.operands[0]};
    for (std::size_t i = 2; i < subject.operands(); ++i)
        rule.operands.push_back(no_factors(subject.operand(i)));
    return rule;
}

std::optional<FactorRule> concatenate_rule(const Subject& subject) {
    const auto* dims = subject.attribute<Dimensions>();
    if (dims == nullptr || subject.operands() == 0) return std::nullopt;
    const Kind joined = joins_shifted_parts(subject) ? Kind::permutation : Kind::whole;
    return alike_with(subject, subject.result(), [&](std::size_t d) {
        return Factor{subject.result().sizes[d], contains(dims->numbers, d) ? joined : Kind::parallel};
    });
}

std::optional<FactorRule> reverse_rule(const Subject& subject) {
    const auto* dims = subject.attribute<Dimensions>();
    if (dims == nullptr || subject.operands() == 0) return std::nullopt;
    return alike_with(subject, subject.result(), [&](std::size_t d) {
        return Factor{subject.result().sizes[d],
                      contains(dims->numbers, d) ? Kind::permutation : Kind::parallel};
    });
}

std::optional<FactorRule> sort_rule(const Subject& subject) {
    if (subject.operands() == 0) return std::nullopt;
    const Sizes& sizes = subject.operand(0).sizes;
    const auto* dims = subject.attribute<Dimensions>();
    if (dims == nullptr && subject.operation.opcode != Opcode::topk) return std::nullopt;
    // The largest elements of each row are along the innermost dimension unless the text states another.
    const Sizes sorted = dims == nullptr ? Sizes{static_cast<std::int64_t>(sizes.size()) - 1} : dims->numbers;
    bool alone = true;
    for (std::size_t d = 0; d < sizes.size(); ++d) alone = alone && (contains(sorted, d) || sizes[d] == 1);
    // topk yields fewer elements than the row has.
    const bool shortens = sizes != subject.result().sizes;
    return alike_with(subject, subject.operand(0), [&](std::size_t d) {
        return contains(sorted, d) ? Factor{sizes[d], Kind::whole, alone || shortens} : Factor{sizes[d]};
    });
}

std::optional<FactorRule> window_rule(const Subject& subject) {
    const auto* window = subject.attribute<Window>();
    const bool scatters = subject.operation.opcode == Opcode::select_and_scatter;
    if (window == nullptr || subject.operands() < (scatters ? 2U : 1U)) return std::nullopt;
    const Sizes& few = scatters ? subject.operand(1).sizes : subject.result().sizes;
    const Sizes& many = subject.operand(0).sizes;
    if (many.size() != few.size() || window->dimensions.size() != few.size()) return std::nullopt;
    FactorRule rule = alike_with(subject, subject.result(), [&](std::size_t d) {
        const WindowDimension& dimension = window->dimensions[d];
        const bool passes = dimension.size == 1 && dimension.stride == 1 && dimension.pad_low == 0 &&
                            dimension.pad_high == 0 && many[d] == few[d];
        return Factor{subject.result().sizes[d], passes ? Kind::parallel : Kind::permutation};
    });
    if (scatters)
        for (std::size_t d = 0; d < few.size(); ++d)
            if (rule.factors[d].kind != Kind::parallel) rule.operands[1][d] = {rule.add(few[d], Kind::whole)};
    return rule;
}

std::optional<FactorRule> fft_rule(const Subject& subject) {
    if (subject.operands() == 0) return std::nullopt;
    const auto* fft = subject.attribute<FftLengths>();
    const Sizes& from = subject.operand(0).sizes;
    const Sizes& to = subject.result().sizes;
    const std::size_t last = fft == nullptr ? from.size() : fft->lengths.size();
    return alike_with(subject, subject.operand(0), [&](std::size_t d) {
        if (d + last < from.size()) return Factor{from[d]};
        return Factor{from[d], Kind::whole, d + 1 == from.size() && from.back() != to.back()};
    });
}

std::optional<FactorRule> bitcast_rule(const Subject& subject) {
    if (subject.operands() != 1) return std::nullopt;
    const Sizes& from = subject.operand(0).sizes;
    const Sizes& to = subject.result().sizes;
    const std::size_t common = std::min(from.size(), to.size());
    if (!std::equal(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(common), to.begin()))
        return std::nullopt;
    FactorRule rule;
    rule.operands = {no_factors(subject.operand(0))};
    rule.results = {no_factors(subject.result())};
    for (std::size_t d = 0; d < common; ++d) rule.operands[0][d] = rule.results[0][d] = {rule.add(from[d])};
    for (std::size_t d = common; d < from.size(); ++d) rule.operands[0][d] = {rule.add(from[d], Kind::whole)};
    for (std::size_t d = common; d < to.size(); ++d) rule.results[0][d] = {rule.add(to[d], Kind::whole)};
    return rule;
}

}  // namespace dse::ir::partition
