#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "ir/program/faults/shape_faults.hpp"

namespace dse::ir::faults {
namespace {

// Whether both lists together are distinct dimensions.
bool are_dimensions_of(Sizes numbers, const Sizes& more, std::size_t rank) {
    numbers.insert(numbers.end(), more.begin(), more.end());
    return are_dimensions(numbers, rank);
}

// The sizes of the indices without the index vector's dimension.
Sizes places(const Type& indices, std::int64_t index_vector) {
    Sizes sizes = indices.sizes;
    if (index_vector < static_cast<std::int64_t>(sizes.size())) sizes.erase(sizes.begin() + index_vector);
    return sizes;
}

// Index vectors are along one dimension of the indices; one past the last dimension means scalar indices.
Fault index_fault(const ShapeSubject& subject, std::size_t i, std::int64_t vector, const Sizes& map) {
    const Type& indices = subject.operand(i);
    const auto rank = static_cast<std::int64_t>(indices.sizes.size());
    if (vector < 0 || vector > rank)
        return fmt::format("its indices {} have no dimension {} (index_vector_dim)", subject.operand_text(i),
                           vector);
    const std::int64_t length = vector == rank ? 1 : indices.sizes[static_cast<std::size_t>(vector)];
    if (static_cast<std::int64_t>(map.size()) == length) return std::nullopt;
    return fmt::format("an index in {} has {} entries for {} dimensions, {}", subject.operand_text(i), length,
                       map.size(), listed(map));
}

bool in_order(const Sizes& a, const Sizes& b) {
    return std::is_sorted(a.begin(), a.end()) && std::is_sorted(b.begin(), b.end());
}

// Each dimension of the operand is either dropped from slices, a batching dimension, or kept.
Fault operand_fault(const ShapeSubject& subject, const Sizes& gone, const Sizes& batching, const Sizes& there,
                    const Sizes& map) {
    const std::size_t rank = subject.operand(0).sizes.size();
    if (gone.size() + batching.size() + there.size() == rank && in_order(gone, there) &&
        are_dimensions_of(gone, batching, rank) && are_dimensions_of(map, batching, rank))
        return std::nullopt;
    return fmt::format(
        "its operand {} has {} dimensions, but {}, {} and {} do not name each of them once, in order",
        subject.operand_text(0), rank, listed(gone), listed(batching), listed(there));
}

// Merges the sizes of a slice, at positions `at`, with those of the indices at all other positions.
// \pre their numbers match
Sizes merged(const Sizes& slice, const Sizes& at, const Sizes& indices) {
    Sizes sizes(slice.size() + indices.size());
    auto next_slice = slice.begin();
    auto next_index = indices.begin();
    for (std::size_t d = 0; d < sizes.size(); ++d) sizes[d] = contains(at, d) ? *next_slice++ : *next_index++;
    return sizes;
}

}  // namespace

// dynamic_gather has the sizes of slices as a third operand.
Fault gather_fault(const ShapeSubject& subject) {
    const auto* gather = subject.attribute<GatherDimensions>();
    const Type* operand = subject.sized_operand(0);
    const Type* indices = subject.sized_operand(1);
    if (gather == nullptr || operand == nullptr || indices == nullptr || subject.operands() > 2)
        return std::nullopt;
    if (auto wrong = index_fault(subject, 1, gather->index_vector, gather->start_index_map)) return wrong;
    if (auto wrong = operand_fault(subject, gather->collapsed, gather->operand_batching, gather->offset,
                                   gather->start_index_map))
        return wrong;
    const auto refuse_slice = [&] {
        return fmt::format(
            "{1} are not sizes of a slice of its operand {0}, where dimensions {2} and {3} have size 1",
            subject.operand_text(0), listed(gather->slice_sizes), listed(gather->collapsed),
            listed(gather->operand_batching));
    };
    if (gather->slice_sizes.size() != operand->sizes.size()) return refuse_slice();
    Sizes slice;
    for (std::size_t d = 0; d < operand->sizes.size(); ++d) {
        const std::int64_t size = gather->slice_sizes[d];
        const bool gone = contains(gather->collapsed, d) || contains(gather->operand_batching, d);
        if (size < 0 || size > operand->sizes[d] || (gone && size > 1)) return refuse_slice();
        if (!gone) slice.push_back(size);
    }
    const Sizes batch = places(*indices, gather->index_vector);
    if (!are_dimensions(gather->offset, slice.size() + batch.size()))
        return fmt::format("{} must be distinct dimensions of its result (offset_dims)",
                           listed(gather->offset));
    return unlike_result(subject, merged(slice, gather->offset, batch));
}

// Operands, indices, and the same number of updates as operands.
Fault scatter_fault(const ShapeSubject& subject) {
    const auto* scatter = subject.attribute<ScatterDimensions>();
    if (scatter == nullptr) return std::nullopt;
    if (subject.operands() % 2 == 0)
        return fmt::format("it has {} operands: indices, and each other one needs its updates",
                           subject.operands());
    const std::size_t at = subject.operands() / 2;
    const Type* operand = subject.sized_operand(0);
    const Type* indices = subject.sized_operand(at);
    const Type* updates = subject.sized_operand(at + 1);
    if (operand != nullptr && indices != nullptr && updates != nullptr) {
        if (auto wrong = index_fault(subject, at, scatter->index_vector, scatter->scatter_to_operand))
            return wrong;
        if (auto wrong = operand_fault(subject, scatter->inserted_window, scatter->input_batching,
                                       scatter->update_window, scatter->scatter_to_operand))
            return wrong;
        Sizes largest;
        for (std::size_t d = 0; d < operand->sizes.size(); ++d)
            if (!contains(scatter->inserted_window, d) && !contains(scatter->input_batching, d))
                largest.push_back(operand->sizes[d]);
        const Sizes batch = places(*indices, scatter->index_vector);
        bool fits = updates->sizes.size() == largest.size() + batch.size() &&
                    are_dimensions(scatter->update_window, updates->sizes.size());
        const Sizes bounds = fits ? merged(largest, scatter->update_window, batch) : Sizes{};
        for (std::size_t d = 0; d < bounds.size(); ++d)
            fits = fits && (contains(scatter->update_window, d) ? updates->sizes[d] <= bounds[d]
                                                                : updates->sizes[d] == bounds[d]);
        if (!fits)
            return fmt::format("{} are not updates of {} at indices {}", subject.operand_text(at + 1),
                               subject.operand_text(0), subject.operand_text(at));
    }
    for (std::size_t i = 0; i < std::min(at, subject.results()); ++i)
        if (auto wrong = unlike_operand(subject, i, i)) return wrong;
    return std::nullopt;
}

}  // namespace dse::ir::faults
