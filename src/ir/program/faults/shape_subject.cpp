#include "ir/program/faults/shape_subject.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace dse::ir::faults {
namespace {

bool is_known(const Type& type) {
    const bool foreign = type.kind == Type::Kind::opaque || type.kind == Type::Kind::untyped;
    return !foreign && type.ranked;
}

std::span<const TypeId> taken_apart(std::span<const TypeId> results, const TypeTable& types) {
    if (results.size() != 1 || types[results[0]].kind != Type::Kind::tuple) return results;
    return types[results[0]].members;
}

}  // namespace

bool same_shape(const Type& a, const Type& b) {
    if (!is_known(a) || !is_known(b)) return true;
    if (a.kind != b.kind) return false;
    if (a.dynamic || b.dynamic) return a.sizes.size() == b.sizes.size();
    return a.sizes == b.sizes && a.members.size() == b.members.size();
}

bool same_type(const TypeTable& types, TypeId a, TypeId b) {
    if (a == b) return true;
    const Type& left = types[a];
    const Type& right = types[b];
    if (!same_shape(left, right)) return false;
    const bool unknown = left.element == ElementType::unknown || right.element == ElementType::unknown;
    if (!unknown && left.element != right.element) return false;
    for (std::size_t i = 0; i < std::min(left.members.size(), right.members.size()); ++i)
        if (!same_type(types, left.members[i], right.members[i])) return false;
    return true;
}

std::pair<std::string, std::string> unlike_texts(const TypeTable& types, TypeId a, TypeId b) {
    const Type& left = types[a];
    const Type& right = types[b];
    if (left.members.size() == right.members.size())
        for (std::size_t i = 0; i < left.members.size(); ++i) {
            if (same_type(types, left.members[i], right.members[i])) continue;
            const auto texts = unlike_texts(types, left.members[i], right.members[i]);
            return {fmt::format("{} (element {})", texts.first, i), texts.second};
        }
    return {types.text(a), types.text(b)};
}

bool contains(std::span<const std::int64_t> numbers, std::size_t dimension) {
    return std::ranges::find(numbers, static_cast<std::int64_t>(dimension)) != numbers.end();
}

bool are_dimensions(std::span<const std::int64_t> numbers, std::size_t rank) {
    constexpr std::size_t bits = 64;
    std::uint64_t seen = 0;
    std::vector<bool> seen_beyond(rank > bits ? rank : 0);
    for (const std::int64_t number : numbers) {
        if (number < 0 || static_cast<std::size_t>(number) >= rank) return false;
        const auto d = static_cast<std::size_t>(number);
        const std::uint64_t bit = std::uint64_t{1} << d % bits;
        if (rank > bits ? seen_beyond[d] : (seen & bit) != 0) return false;
        seen |= bit;
        if (rank > bits) seen_beyond[d] = true;
    }
    return true;
}

std::string listed(std::span<const std::int64_t> numbers) {
    return fmt::format("{{{}}}", fmt::join(numbers, ","));
}

ShapeSubject::ShapeSubject(const StatedOperation& operation, const Program& program)
    : operation_{operation}, program_{program}, results_{taken_apart(operation.results, program.types)} {}

const Type* ShapeSubject::ranked_operand(std::size_t i) const {
    return i < operands() && is_ranked(operand(i)) ? &operand(i) : nullptr;
}

const Type* ShapeSubject::ranked_result(std::size_t i) const {
    return i < results() && is_ranked(result(i)) ? &result(i) : nullptr;
}

const Type* ShapeSubject::sized_operand(std::size_t i) const {
    return i < operands() && is_sized(operand(i)) ? &operand(i) : nullptr;
}

const Type* ShapeSubject::sized_result(std::size_t i) const {
    return i < results() && is_sized(result(i)) ? &result(i) : nullptr;
}

Fault unlike_result(const ShapeSubject& subject, const Sizes& sizes) {
    if (subject.results() == 0) return std::nullopt;
    const Type& result = subject.result();
    const bool equal =
        is_sized(result) ? result.sizes == sizes : !is_ranked(result) || result.sizes.size() == sizes.size();
    const bool is_array = result.kind != Type::Kind::tuple && result.kind != Type::Kind::token;
    if (equal && is_array) return std::nullopt;
    return fmt::format("its result is {}, but its operands make [{}]", subject.result_text(),
                       fmt::join(sizes, ","));
}

Fault unlike_operand(const ShapeSubject& subject, std::size_t operand, std::size_t result) {
    if (result >= subject.results() || subject.operand_id(operand) == subject.result_id(result))
        return std::nullopt;
    if (same_shape(subject.operand(operand), subject.result(result))) return std::nullopt;
    return fmt::format("its operand is {}, but its result is {}: their shapes must be equal",
                       subject.operand_text(operand), subject.result_text(result));
}

}  // namespace dse::ir::faults
