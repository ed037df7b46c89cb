#include <fmt/format.h>

#include "ir/program/faults/shape_faults.hpp"

namespace dse::ir::faults {

// The operand of `get_tuple_element` must be a tuple.
Fault element_fault(const ShapeSubject& subject) {
    const auto* index = subject.attribute<Index>();
    if (index == nullptr) return std::nullopt;
    const Type& tuple = subject.operand(0);
    if (tuple.kind != Type::Kind::tuple || index->number < 0 ||
        static_cast<std::size_t>(index->number) >= tuple.members.size())
        return fmt::format("{} has no element {}", subject.operand_text(0), index->number);
    const auto& results = subject.operation().results;
    const TypeId member = tuple.members[static_cast<std::size_t>(index->number)];
    if (results.empty() || same_type(subject.types(), member, results[0])) return std::nullopt;
    const auto [actual, stated] = unlike_texts(subject.types(), member, results[0]);
    return fmt::format("element {} of its operand is {}, but its result is {}", index->number, actual,
                       stated);
}

Fault tuple_fault(const ShapeSubject& subject) {
    const auto& results = subject.operation().results;
    if (results.empty()) return std::nullopt;
    const Type& tuple = subject.types()[results[0]];
    if (tuple.kind != Type::Kind::tuple || tuple.members.size() != subject.operands())
        return fmt::format("{} is not a tuple of {} elements", subject.types().text(results[0]),
                           subject.operands());
    for (std::size_t i = 0; i < tuple.members.size(); ++i) {
        if (same_type(subject.types(), subject.operand_id(i), tuple.members[i])) continue;
        const auto [given, stated] = unlike_texts(subject.types(), subject.operand_id(i), tuple.members[i]);
        return fmt::format("element {} of its result is {}, but it is given {}", i, stated, given);
    }
    return std::nullopt;
}

}  // namespace dse::ir::faults
