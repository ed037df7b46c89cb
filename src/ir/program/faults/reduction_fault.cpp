#include <cstdint>

#include <fmt/format.h>

#include "ir/program/faults/shape_faults.hpp"

namespace dse::ir::faults {
namespace {

// Operands before `end` have the shape of the first one.
Fault unlike_fault(const ShapeSubject& subject, std::size_t end) {
    for (std::size_t i = 1; i < end; ++i)
        if (subject.operand_id(i) != subject.operand_id(0) &&
            !same_shape(subject.operand(i), subject.operand(0)))
            return fmt::format("its operands are {} and {}: their shapes must be equal",
                               subject.operand_text(0), subject.operand_text(i));
    return std::nullopt;
}

// The result has the dimensions that are not reduced.
Fault remainder_fault(const ShapeSubject& subject, const Type& operand, const Sizes& reduced, std::size_t i) {
    const Type* result = subject.ranked_result(i);
    if (result == nullptr) return std::nullopt;
    std::size_t next = 0;
    bool equal = operand.sizes.size() == result->sizes.size() + reduced.size();
    for (std::size_t d = 0; equal && d < operand.sizes.size(); ++d)
        equal = contains(reduced, d) || same_size(operand, d, *result, next++);
    if (equal) return std::nullopt;
    return fmt::format("reducing dimensions {1} of its operand {0} does not give its result {2}",
                       subject.operand_text(0), listed(reduced), subject.result_text(i));
}

}  // namespace

// Operands, then the same number of scalars as initial values; StableHLO's tests also print vectors.
Fault reduce_fault(const ShapeSubject& subject) {
    const auto* along = subject.attribute<Dimensions>();
    const Type* operand = subject.ranked_operand(0);
    if (along == nullptr || operand == nullptr) return std::nullopt;
    if (!are_dimensions(along->numbers, operand->sizes.size()))
        return fmt::format("{} must be distinct dimensions of its operand {}", listed(along->numbers),
                           subject.operand_text(0));
    const std::size_t reduced = subject.operands() / 2;
    if (subject.operands() % 2 != 0)
        return fmt::format("it has {} operands: each needs an initial value", subject.operands());
    if (auto wrong = unlike_fault(subject, reduced)) return wrong;
    const std::size_t left = operand->sizes.size() - along->numbers.size();
    for (std::size_t i = reduced; i < subject.operands(); ++i) {
        const Type* start = subject.ranked_operand(i);
        if (start != nullptr && start->sizes.size() > (subject.is_hlo() ? 0 : left))
            return fmt::format("its initial value {} is not a scalar", subject.operand_text(i));
    }
    for (std::size_t i = 0; i < subject.results(); ++i)
        if (auto wrong = remainder_fault(subject, *operand, along->numbers, i)) return wrong;
    return std::nullopt;
}

Fault map_fault(const ShapeSubject& subject) {
    if (subject.operands() == 0) return std::nullopt;
    if (auto wrong = unlike_fault(subject, subject.operands())) return wrong;
    return unlike_operand(subject, 0, 0);
}

// StableHLO also accepts negative dimensions.
Fault sort_fault(const ShapeSubject& subject) {
    if (auto wrong = unlike_fault(subject, subject.operands())) return wrong;
    const auto* along = subject.attribute<Dimensions>();
    const Type* operand = subject.ranked_operand(0);
    if (along != nullptr && operand != nullptr) {
        const auto rank = static_cast<std::int64_t>(operand->sizes.size());
        for (const std::int64_t d : along->numbers)
            if (d < (subject.is_hlo() ? 0 : -rank) || d >= rank)
                return fmt::format("it sorts along dimension {}, which its operand {} does not have", d,
                                   subject.operand_text(0));
    }
    for (std::size_t i = 0; i < subject.results(); ++i)
        if (auto wrong = unlike_operand(subject, 0, i)) return wrong;
    return std::nullopt;
}

}  // namespace dse::ir::faults
