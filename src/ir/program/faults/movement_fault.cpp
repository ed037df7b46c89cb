#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "ir/program/faults/shape_faults.hpp"

namespace dse::ir::faults {
namespace {

// MHLO's `broadcast` prepends new dimensions.
Fault prefixed_fault(const ShapeSubject& subject, const Type& operand, const Type& result) {
    if (operand.dynamic || result.dynamic) return std::nullopt;
    if (operand.sizes.size() <= result.sizes.size() &&
        std::equal(operand.sizes.rbegin(), operand.sizes.rend(), result.sizes.rbegin()))
        return std::nullopt;
    return fmt::format("the shape of its operand {} is not the end of that of its result {}",
                       subject.operand_text(0), subject.result_text());
}

}  // namespace

// HLO only broadcasts along new dimensions; StableHLO also along dimensions of size one.
Fault broadcast_fault(const ShapeSubject& subject) {
    const Type* operand = subject.ranked_operand(0);
    const Type* result = subject.ranked_result();
    if (operand == nullptr || result == nullptr) return std::nullopt;
    const auto* map = subject.attribute<Dimensions>();
    if (map == nullptr) return prefixed_fault(subject, *operand, *result);
    if (map->numbers.size() != operand->sizes.size())
        return fmt::format("its operand {} has {} dimensions, but its map {} has {} entries",
                           subject.operand_text(0), operand->sizes.size(), listed(map->numbers),
                           map->numbers.size());
    if (!are_dimensions(map->numbers, result->sizes.size()))
        return fmt::format("{} must be distinct dimensions of its result {}", listed(map->numbers),
                           subject.result_text());
    for (std::size_t i = 0; i < map->numbers.size(); ++i) {
        const auto to = static_cast<std::size_t>(map->numbers[i]);
        if (same_size(*operand, i, *result, to) || (operand->sizes[i] == 1 && !subject.is_hlo())) continue;
        return fmt::format("dimension {} of its operand {} cannot be dimension {} of its result {}", i,
                           subject.operand_text(0), to, subject.result_text());
    }
    return std::nullopt;
}

Fault reshape_fault(const ShapeSubject& subject) {
    if (subject.sized_operand(0) == nullptr || subject.sized_result() == nullptr) return std::nullopt;
    const double before = subject.types().elements(subject.operand_id(0));
    const double after = subject.types().elements(subject.result_id());
    if (before == after) return std::nullopt;
    return fmt::format("its result {} has {} elements, but its operand {} has {}", subject.result_text(),
                       after, subject.operand_text(0), before);
}

// If the width of elements changes, the innermost dimension makes up for the difference.
Fault bitcast_convert_fault(const ShapeSubject& subject) {
    const Type* operand = subject.sized_operand(0);
    const Type* result = subject.sized_result();
    if (operand == nullptr || result == nullptr) return std::nullopt;
    const int before = bits(operand->element);
    const int after = bits(result->element);
    if (before == after) return unlike_operand(subject, 0, 0);
    if (before <= 1 || after <= 1) return std::nullopt;
    const Type& wide = before > after ? *operand : *result;
    const Type& narrow = before > after ? *result : *operand;
    Sizes sizes = wide.sizes;
    sizes.push_back(std::max(before, after) / std::min(before, after));
    if (narrow.sizes == sizes) return std::nullopt;
    return fmt::format("its operand {} and its result {} do not have the same number of bits",
                       subject.operand_text(0), subject.result_text());
}

Fault transpose_fault(const ShapeSubject& subject) {
    const Type* operand = subject.ranked_operand(0);
    const auto* order = subject.attribute<Dimensions>();
    if (operand == nullptr || order == nullptr) return std::nullopt;
    const std::size_t rank = operand->sizes.size();
    if (order->numbers.size() != rank || !are_dimensions(order->numbers, rank))
        return fmt::format("{} is not a permutation of the {} dimensions of its operand {}",
                           listed(order->numbers), rank, subject.operand_text(0));
    const Type* result = subject.ranked_result();
    if (result == nullptr) return std::nullopt;
    bool equal = result->sizes.size() == rank;
    for (std::size_t i = 0; equal && i < rank; ++i)
        equal = same_size(*operand, static_cast<std::size_t>(order->numbers[i]), *result, i);
    if (equal) return std::nullopt;
    return fmt::format("its result is {}, which is not the shape of its operand {} permuted by {}",
                       subject.result_text(), subject.operand_text(0), listed(order->numbers));
}

Fault concatenate_fault(const ShapeSubject& subject) {
    const auto* along = subject.attribute<Dimensions>();
    const Type* first = subject.sized_operand(0);
    if (first == nullptr || along == nullptr) return std::nullopt;
    if (along->numbers.size() != 1 || !are_dimensions(along->numbers, first->sizes.size()))
        return fmt::format("{} is not a dimension of its operand {}", listed(along->numbers),
                           subject.operand_text(0));
    const auto d = static_cast<std::size_t>(along->numbers[0]);
    std::uint64_t sum = 0;  // wraps around only for arrays that are impossibly large
    for (std::size_t i = 0; i < subject.operands(); ++i) {
        const Type* operand = subject.sized_operand(i);
        if (operand == nullptr) return std::nullopt;
        bool fits = operand->sizes.size() == first->sizes.size();
        for (std::size_t k = 0; fits && k < first->sizes.size(); ++k)
            fits = k == d || operand->sizes[k] == first->sizes[k];
        if (!fits)
            return fmt::format(
                "{} and {} cannot be concatenated along dimension {}: their other sizes "
                "must be equal",
                subject.operand_text(0), subject.operand_text(i), d);
        sum += static_cast<std::uint64_t>(operand->sizes[d]);
    }
    Sizes sizes = first->sizes;
    sizes[d] = static_cast<std::int64_t>(sum);
    return unlike_result(subject, sizes);
}

Fault reverse_fault(const ShapeSubject& subject) {
    const Type* operand = subject.ranked_operand(0);
    const auto* along = subject.attribute<Dimensions>();
    if (operand != nullptr && along != nullptr && !are_dimensions(along->numbers, operand->sizes.size()))
        return fmt::format("{} must be distinct dimensions of its operand {}", listed(along->numbers),
                           subject.operand_text(0));
    return unlike_operand(subject, 0, 0);
}

Fault iota_fault(const ShapeSubject& subject) {
    const Type* result = subject.ranked_result();
    const auto* along = subject.attribute<Dimensions>();
    if (result == nullptr || along == nullptr || are_dimensions(along->numbers, result->sizes.size()))
        return std::nullopt;
    return fmt::format("it counts along dimension {}, which its result {} does not have",
                       fmt::join(along->numbers, ","), subject.result_text());
}

Fault dimension_size_fault(const ShapeSubject& subject) {
    const Type* operand = subject.ranked_operand(0);
    const auto* dimension = subject.attribute<Dimensions>();
    if (operand == nullptr || dimension == nullptr ||
        are_dimensions(dimension->numbers, operand->sizes.size()))
        return std::nullopt;
    return fmt::format("its operand {} has no dimension {}", subject.operand_text(0),
                       fmt::join(dimension->numbers, ","));
}

// Also applies to tuples. TPUs convert element types while copying.
Fault copy_fault(const ShapeSubject& subject) {
    const StatedOperation& operation = subject.operation();
    const std::size_t count = std::min(operation.operands.size(), operation.results.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (subject.operand_id(i) == operation.results[i]) continue;
        if (same_shape(subject.operand(i), subject.types()[operation.results[i]])) continue;
        return fmt::format("its operand is {}, but its result is {}: their shapes must be equal",
                           subject.operand_text(i), subject.types().text(operation.results[i]));
    }
    return std::nullopt;
}

}  // namespace dse::ir::faults
