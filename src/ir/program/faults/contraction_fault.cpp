#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "ir/program/faults/shape_faults.hpp"

namespace dse::ir::faults {
namespace {

/// The dimensions of an operand that a product refers to: whether they exist, whether each occurs once, and
/// the set of them (the first 64, more than in any program).
struct Named {
    bool there{true};
    bool once{true};
    std::uint64_t bits{0};

    [[nodiscard]] bool has(std::size_t d) const { return (bits >> d & 1U) != 0; }
};

constexpr std::size_t most_dimensions = 64;

Named named(const Type& operand, const Sizes& batch, const Sizes& contracting) {
    Named result;
    for (const Sizes* numbers : {&batch, &contracting})
        for (const std::int64_t number : *numbers) {
            const auto d = static_cast<std::size_t>(number);  // negative numbers become larger than any rank
            result.there = result.there && d < operand.sizes.size();
            const std::uint64_t bit = d < most_dimensions ? std::uint64_t{1} << d : 0;
            result.once = result.once && (result.bits & bit) == 0;
            result.bits |= bit;
        }
    return result;
}

// The first pair of known sizes that differ in corresponding dimensions.
// \pre equal numbers of dimensions, all valid
std::optional<std::pair<std::int64_t, std::int64_t>> unequal_sizes(const Type& lhs, const Sizes& of_lhs,
                                                                   const Type& rhs, const Sizes& of_rhs) {
    for (std::size_t i = 0; i < of_lhs.size(); ++i) {
        const std::int64_t left = lhs.sizes[static_cast<std::size_t>(of_lhs[i])];
        const std::int64_t right = rhs.sizes[static_cast<std::size_t>(of_rhs[i])];
        if (left != right && left != unknown_size && right != unknown_size) return std::pair{left, right};
    }
    return std::nullopt;
}

// The result has the batch dimensions, then the remaining ones of the left operand, then those of the right
// one.
bool makes(const DotDimensions& dot, const Type& lhs, const Named& of_lhs, const Type& rhs,
           const Named& of_rhs, const Type& result) {
    const std::size_t rank =
        lhs.sizes.size() + rhs.sizes.size() - dot.lhs_batch.size() - 2 * dot.lhs_contracting.size();
    if (result.sizes.size() != rank) return false;
    auto size = result.sizes.begin();
    for (const std::int64_t d : dot.lhs_batch)
        if (*size++ != lhs.sizes[static_cast<std::size_t>(d)]) return false;
    for (std::size_t d = 0; d < lhs.sizes.size(); ++d)
        if (!of_lhs.has(d) && *size++ != lhs.sizes[d]) return false;
    for (std::size_t d = 0; d < rhs.sizes.size(); ++d)
        if (!of_rhs.has(d) && *size++ != rhs.sizes[d]) return false;
    return true;
}

std::string product_text(const ShapeSubject& subject, const DotDimensions& dot) {
    return fmt::format("the product of {} (batches {}, contracted {}) and {} ({}, {}) is not {}",
                       subject.operand_text(0), listed(dot.lhs_batch), listed(dot.lhs_contracting),
                       subject.operand_text(1), listed(dot.rhs_batch), listed(dot.rhs_contracting),
                       subject.result_text());
}

}  // namespace

// XLA's own tests omit all dimensions if they only test parsing.
Fault dot_fault(const ShapeSubject& subject) {
    const auto* dot = subject.attribute<DotDimensions>();
    if (dot == nullptr) return std::nullopt;
    const Type& lhs = subject.operand(0);
    const Type& rhs = subject.operand(1);
    const Named of_lhs = named(lhs, dot->lhs_batch, dot->lhs_contracting);
    const Named of_rhs = named(rhs, dot->rhs_batch, dot->rhs_contracting);
    if (!of_lhs.there || !of_rhs.there) return "the product names a dimension that its operand does not have";
    if (dot->lhs_contracting.size() != dot->rhs_contracting.size())
        return "the product contracts different numbers of dimensions of its operands";
    if (dot->lhs_batch.size() != dot->rhs_batch.size())
        return "the product has different numbers of batch dimensions of its operands";
    if (!of_lhs.once || !of_rhs.once) return "the product names a dimension twice";
    // A third operand states the positions of a sparse operand's elements, which then has fewer elements than
    // it represents.
    const bool dense = subject.operands() == 2;
    if (const auto sizes = unequal_sizes(lhs, dot->lhs_contracting, rhs, dot->rhs_contracting);
        sizes && dense)
        return fmt::format("the product contracts a dimension of {} with one of {}", sizes->first,
                           sizes->second);
    if (const auto sizes = unequal_sizes(lhs, dot->lhs_batch, rhs, dot->rhs_batch))
        return fmt::format("the product has batches of {} and of {}", sizes->first, sizes->second);
    const bool says_nothing = dot->lhs_batch.empty() && dot->lhs_contracting.empty();
    const bool compares = is_sized(lhs) && is_sized(rhs) && subject.sized_result() != nullptr &&
                          std::max(lhs.sizes.size(), rhs.sizes.size()) <= most_dimensions;
    if (!compares || (says_nothing && subject.is_hlo()) ||
        makes(*dot, lhs, of_lhs, rhs, of_rhs, subject.result()))
        return std::nullopt;
    return product_text(subject, *dot);
}

Fault cholesky_fault(const ShapeSubject& subject) {
    const Type* operand = subject.sized_operand(0);
    if (operand != nullptr) {
        const std::size_t rank = operand->sizes.size();
        if (rank < 2 || operand->sizes[rank - 1] != operand->sizes[rank - 2])
            return fmt::format("the matrices of its operand {} are not square", subject.operand_text(0));
    }
    return unlike_operand(subject, 0, 0);
}

// Square matrices, and right-hand (left-hand) sides with as many rows (columns).
Fault triangular_solve_fault(const ShapeSubject& subject) {
    const Type* matrix = subject.sized_operand(0);
    const Type* sides = subject.sized_operand(1);
    if (matrix != nullptr && sides != nullptr) {
        const std::size_t rank = matrix->sizes.size();
        if (rank < 2 || matrix->sizes[rank - 1] != matrix->sizes[rank - 2])
            return fmt::format("the matrices of its operand {} are not square", subject.operand_text(0));
        const std::int64_t order = matrix->sizes[rank - 1];
        const bool fits = sides->sizes.size() == rank &&
                          (sides->sizes[rank - 1] == order || sides->sizes[rank - 2] == order) &&
                          std::equal(sides->sizes.begin(), sides->sizes.end() - 2, matrix->sizes.begin());
        if (!fits)
            return fmt::format("{} cannot be the right-hand sides of equations with {}",
                               subject.operand_text(1), subject.operand_text(0));
    }
    return unlike_operand(subject, 1, 0);
}

}  // namespace dse::ir::faults
