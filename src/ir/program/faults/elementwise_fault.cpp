#include <algorithm>

#include <fmt/format.h>

#include "dse/ir/program/opcode_traits.hpp"
#include "ir/program/faults/shape_faults.hpp"

namespace dse::ir::faults {
namespace {

bool is_array(const Type& type) {
    return type.kind != Type::Kind::tuple && type.kind != Type::Kind::token;
}

// select may have a single predicate for all elements, clamp single bounds.
bool may_be_scalar(Opcode opcode, std::size_t operand) {
    return traits(opcode).pattern == 1 && operand != 1 && (opcode == Opcode::clamp || operand == 0);
}

// Whether sizes can be broadcast to `stretched`: each occurs there, in the same order, or is 1.
bool stretch(const Sizes& sizes, const Sizes& stretched) {
    auto at = stretched.begin();
    for (const std::int64_t size : sizes) {
        while (at != stretched.end() && size != 1 && *at != size) ++at;
        if (at == stretched.end()) return false;
        ++at;
    }
    return true;
}

// For CHLO's broadcast_add etc.
Fault repeating_fault(const ShapeSubject& subject) {
    const Type* result = subject.sized_result();
    if (result == nullptr) return std::nullopt;
    for (std::size_t i = 0; i < subject.operands(); ++i) {
        const Type* operand = subject.sized_operand(i);
        if (operand == nullptr || stretch(operand->sizes, result->sizes)) continue;
        return fmt::format("its operand {} cannot be broadcast to its result {}", subject.operand_text(i),
                           subject.result_text());
    }
    return std::nullopt;
}

// Comparisons etc. must have boolean results.
Fault answer_fault(const ShapeSubject& subject) {
    if (!traits(subject.operation().opcode).answers) return std::nullopt;
    const ElementType element = subject.result().element;
    if (element == ElementType::pred || element == ElementType::unknown) return std::nullopt;
    return fmt::format("its result is {}, but its elements must be booleans ({})", subject.result_text(),
                       name(ElementType::pred));
}

}  // namespace

Fault elementwise_fault(const ShapeSubject& subject) {
    const Opcode opcode = subject.operation().opcode;
    const std::size_t pattern = traits(opcode).pattern;
    const TypeId shape = subject.operand_id(pattern);
    if (!is_array(subject.types()[shape]))
        return fmt::format("its operand is {}, but element-wise operators take arrays",
                           subject.operand_text(pattern));
    if (subject.results() > 1) return "element-wise operators have one result";
    if (subject.operation().repetition == Repetition::implicit) {
        if (auto wrong = repeating_fault(subject)) return wrong;
    } else {
        for (std::size_t i = 0; i < subject.operands(); ++i) {
            const TypeId operand = subject.operand_id(i);
            if (operand == shape || same_shape(subject.types()[operand], subject.types()[shape])) continue;
            if (may_be_scalar(opcode, i) && is_scalar(subject.types()[operand])) continue;
            return fmt::format(
                "its operands are {} and {}: element-wise operators need operands of one shape (broadcast "
                "the smaller one first)",
                subject.operand_text(std::min(i, pattern)), subject.operand_text(std::max(i, pattern)));
        }
        if (auto wrong = unlike_operand(subject, pattern, 0)) return wrong;
    }
    return subject.results() == 0 ? std::nullopt : answer_fault(subject);
}

}  // namespace dse::ir::faults
