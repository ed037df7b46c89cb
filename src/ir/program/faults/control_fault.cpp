#include <span>

#include <fmt/format.h>

#include "ir/program/faults/shape_faults.hpp"

namespace dse::ir::faults {
namespace {

using Values = std::vector<ValueId>;

/// Compares the argument and result types of computations with those that an operation states.
class Border {
  public:
    explicit Border(const ShapeSubject& subject) : program_{subject.program()} {}

    /// \param role  for messages, such as "its body"
    [[nodiscard]] Fault takes(std::string_view role, ComputationId computation,
                              std::span<const ValueId> operands) const {
        const Values& arguments = program_[computation].arguments;
        if (arguments.size() != operands.size())
            return fmt::format("{} takes {} operands, but is given {}", role, arguments.size(),
                               operands.size());
        for (std::size_t i = 0; i < operands.size(); ++i)
            if (const auto texts = unlike(arguments[i], program_.type_of(operands[i])))
                return fmt::format("{} takes {} as its operand {}, but is given {}", role, texts->first, i,
                                   texts->second);
        return std::nullopt;
    }

    [[nodiscard]] Fault makes(std::string_view role, ComputationId computation,
                              std::span<const TypeId> results) const {
        const Values& made = program_[computation].results;
        if (made.size() != results.size())
            return fmt::format("{} returns {} values, but {} are taken", role, made.size(), results.size());
        for (std::size_t i = 0; i < results.size(); ++i)
            if (const auto texts = unlike(made[i], results[i]))
                return fmt::format("{} returns {}, but {} is taken", role, texts->first, texts->second);
        return std::nullopt;
    }

  private:
    // Texts of both types if they differ.
    [[nodiscard]] std::optional<std::pair<std::string, std::string>> unlike(ValueId value,
                                                                            TypeId type) const {
        const TypeId actual = program_.type_of(value);
        if (same_type(program_.types, actual, type)) return std::nullopt;
        return unlike_texts(program_.types, actual, type);
    }

    const Program& program_;
};

Fault decision_fault(const ShapeSubject& subject, ComputationId condition) {
    const auto& results = subject.program()[condition].results;
    if (results.size() != 1) return "its condition must have exactly one result";
    const TypeId type = subject.program().type_of(results[0]);
    Type decision;
    decision.element = ElementType::pred;
    const Type& actual = subject.types()[type];
    const bool decides = same_shape(actual, decision) &&
                         (actual.element == ElementType::pred || actual.element == ElementType::unknown);
    if (decides) return std::nullopt;
    return fmt::format("its condition returns {} instead of {}[]", subject.types().text(type),
                       name(ElementType::pred));
}

}  // namespace

// The carried values have the same types throughout.
Fault while_fault(const ShapeSubject& subject) {
    const StatedOperation& loop = subject.operation();
    const Program& program = subject.program();
    const Computation& condition = program[loop.called[0]];
    const Computation& body = program[loop.called[1]];
    const std::size_t carried = loop.operands.size();
    for (const std::size_t count :
         {loop.results.size(), condition.arguments.size(), body.arguments.size(), body.results.size()})
        if (count != carried)
            return fmt::format("it carries {} values, but its regions or results have {}", carried, count);
    for (std::size_t i = 0; i < carried; ++i)
        if (!same_type(subject.types(), subject.operand_id(i), loop.results[i])) {
            const auto [first, last] = unlike_texts(subject.types(), subject.operand_id(i), loop.results[i]);
            return fmt::format(
                "its initial value is {}, but its result is {}: a value that a loop carries has one type",
                first, last);
        }
    const Border border{subject};
    if (auto wrong = border.takes("its condition", loop.called[0], loop.operands)) return wrong;
    if (auto wrong = border.takes("its body", loop.called[1], loop.operands)) return wrong;
    if (auto wrong = decision_fault(subject, loop.called[0])) return wrong;
    return border.makes("its body", loop.called[1], loop.results);
}

// In MLIR, functions are only known after the whole program has been read.
Fault call_fault(const ShapeSubject& subject) {
    if (!subject.is_hlo()) return std::nullopt;
    const StatedOperation& call = subject.operation();
    const Border border{subject};
    if (auto wrong = border.takes("what it calls", call.called[0], call.operands)) return wrong;
    return call.results.empty() ? std::nullopt : border.makes("what it calls", call.called[0], call.results);
}

// In HLO each branch has an operand; in MLIR regions see the values around them.
Fault conditional_fault(const ShapeSubject& subject) {
    const StatedOperation& choice = subject.operation();
    const Border border{subject};
    const Type* chosen = subject.ranked_operand(0);
    if (chosen != nullptr && !chosen->sizes.empty())
        return fmt::format("it chooses a branch by {}, which is not a scalar", subject.operand_text(0));
    if (subject.is_hlo() && choice.operands.size() != choice.called.size() + 1)
        return fmt::format("it has {} branches, but operands for {}", choice.called.size(),
                           choice.operands.size() - 1);
    for (std::size_t i = 0; i < choice.called.size(); ++i) {
        const std::string role = fmt::format("its branch {}", i);
        if (subject.is_hlo())
            if (auto wrong = border.takes(role, choice.called[i], choice.operands.subspan(i + 1, 1)))
                return wrong;
        if (choice.results.empty()) continue;
        if (auto wrong = border.makes(role, choice.called[i], choice.results)) return wrong;
    }
    return std::nullopt;
}

}  // namespace dse::ir::faults
