#include <cstdint>

#include <fmt/format.h>

#include "ir/program/faults/shape_faults.hpp"

namespace dse::ir::faults {
namespace {

bool of_rank(std::size_t rank, std::initializer_list<const Sizes*> lists) {
    for (const Sizes* list : lists)
        if (list->size() != rank) return false;
    return true;
}

// One scalar per dimension, or a single vector in older HLO.
// \param first  index of the first operand that is an index
Fault index_fault(const ShapeSubject& subject, std::size_t first, const Type& sliced) {
    const std::size_t rank = sliced.sizes.size();
    const std::size_t given = subject.operands() - first;
    if (given == 1) {
        const Type* vector = subject.sized_operand(first);
        if (vector == nullptr ||
            (vector->sizes.size() == 1 && vector->sizes[0] == static_cast<std::int64_t>(rank)))
            return std::nullopt;
    }
    if (given != rank)
        return fmt::format("{} has {} dimensions, but there are {} start indices", subject.operand_text(0),
                           rank, given);
    for (std::size_t i = first; i < subject.operands(); ++i) {
        const Type* index = subject.sized_operand(i);
        if (index != nullptr && !index->sizes.empty())
            return fmt::format("its start index {} is not a scalar", subject.operand_text(i));
    }
    return std::nullopt;
}

// Whether every size of a part is between 0 and that of the whole.
bool within(const Sizes& part, const Sizes& whole) {
    for (std::size_t d = 0; d < part.size(); ++d)
        if (part[d] < 0 || part[d] > whole[d]) return false;
    return true;
}

}  // namespace

Fault slice_fault(const ShapeSubject& subject) {
    const auto* ranges = subject.attribute<SliceRanges>();
    const Type* operand = subject.sized_operand(0);
    if (ranges == nullptr || operand == nullptr) return std::nullopt;
    const std::size_t rank = operand->sizes.size();
    if (!of_rank(rank, {&ranges->starts, &ranges->limits, &ranges->strides}))
        return fmt::format("it has {} ranges, but its operand {} has {} dimensions", ranges->starts.size(),
                           subject.operand_text(0), rank);
    Sizes sizes(rank);
    for (std::size_t d = 0; d < rank; ++d) {
        const std::int64_t start = ranges->starts[d];
        const std::int64_t limit = ranges->limits[d];
        const std::int64_t stride = ranges->strides[d];
        if (start < 0 || limit < start || limit > operand->sizes[d] || stride < 1)
            return fmt::format("its range {}:{}:{} of dimension {} is not within its operand {}", start,
                               limit, stride, d, subject.operand_text(0));
        const std::int64_t length = limit - start;
        sizes[d] = length / stride + (length % stride == 0 ? 0 : 1);
    }
    return unlike_result(subject, sizes);
}

Fault dynamic_slice_fault(const ShapeSubject& subject) {
    const auto* slice = subject.attribute<SliceSizes>();
    const Type* operand = subject.sized_operand(0);
    if (slice == nullptr || operand == nullptr) return std::nullopt;
    if (slice->sizes.size() != operand->sizes.size() || !within(slice->sizes, operand->sizes))
        return fmt::format("{1} are not sizes of a slice of its operand {0}", subject.operand_text(0),
                           listed(slice->sizes));
    if (auto wrong = index_fault(subject, 1, *operand)) return wrong;
    return unlike_result(subject, slice->sizes);
}

Fault dynamic_update_slice_fault(const ShapeSubject& subject) {
    const Type* operand = subject.sized_operand(0);
    const Type* update = subject.sized_operand(1);
    if (operand == nullptr || update == nullptr) return std::nullopt;
    if (update->sizes.size() != operand->sizes.size() || !within(update->sizes, operand->sizes))
        return fmt::format("it updates {} with {}, which is not a slice of it", subject.operand_text(0),
                           subject.operand_text(1));
    if (auto wrong = index_fault(subject, 2, *operand)) return wrong;
    return unlike_operand(subject, 0, 0);
}

// Negative padding drops elements.
Fault pad_fault(const ShapeSubject& subject) {
    const auto* pad = subject.attribute<PadSizes>();
    const Type* operand = subject.sized_operand(0);
    if (pad == nullptr || operand == nullptr) return std::nullopt;
    const std::size_t rank = operand->sizes.size();
    if (!of_rank(rank, {&pad->low, &pad->high, &pad->interior}))
        return fmt::format("it pads {} dimensions, but its operand {} has {}", pad->low.size(),
                           subject.operand_text(0), rank);
    const Type* value = subject.sized_operand(1);
    if (value != nullptr && !value->sizes.empty())
        return fmt::format("it pads with {}, which is not a scalar", subject.operand_text(1));
    const Type* result = subject.sized_result();
    for (std::size_t d = 0; d < rank; ++d) {
        if (pad->interior[d] < 0)
            return fmt::format("its interior padding is {} in dimension {}, but must be at least 0",
                               pad->interior[d], d);
        // As doubles, which cannot overflow; exact for all sizes that occur.
        const auto before = static_cast<double>(operand->sizes[d]);
        const double between = std::max(before - 1, 0.0) * static_cast<double>(pad->interior[d]);
        const double after =
            before + between + static_cast<double>(pad->low[d]) + static_cast<double>(pad->high[d]);
        const bool fits = result == nullptr ||
                          (result->sizes.size() == rank && static_cast<double>(result->sizes[d]) == after);
        if (after >= 0 && fits) continue;
        return fmt::format("its operand {}, padded, has {} elements along dimension {}{}",
                           subject.operand_text(0), after, d,
                           result == nullptr ? "" : ", but its result is " + subject.result_text());
    }
    return rank == 0 ? unlike_operand(subject, 0, 0) : std::nullopt;
}

}  // namespace dse::ir::faults
