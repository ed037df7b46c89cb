#include "wrapped_instruction.hpp"

#include <span>
#include <utility>
#include <vector>

#include "result_type.hpp"

namespace dse::ir::hlo {
namespace {

/// A computation whose parameters have the types of given values.
struct Wrapping {
    ComputationId computation;
    std::vector<ValueId> parameters;
};

Wrapping with_parameters(std::span<const ValueId> operands, std::uint32_t line, ProgramBuilder& builder) {
    Program& program = builder.program();
    Wrapping result{builder.computation("", line), {}};
    std::int64_t number = 0;
    for (const ValueId operand : operands) {
        const TypeId type = program.type_of(operand);
        result.parameters.push_back(
            builder.value(result.computation, {.opcode = Opcode::parameter,
                                               .results = std::span{&type, 1},
                                               .attribute = builder.attribute(Index{number++}),
                                               .line = line}));
    }
    program.computations[result.computation.index()].arguments = result.parameters;
    return result;
}

/// An instruction in a computation of its own.
struct Wrapped {
    std::optional<std::string> fault;
    ComputationId computation;
};

Wrapped alone(InstructionDraft draft, TypeId result, ProgramBuilder& builder) {
    const Wrapping made = with_parameters(draft.operands, draft.line, builder);
    draft.opcode = draft.wrapped;
    draft.operands = made.parameters;
    if (const auto wrong = fault(draft, result, builder.program())) return {wrong, made.computation};
    const ValueId value = builder.value(made.computation, {.opcode = draft.opcode,
                                                           .operands = draft.operands,
                                                           .results = std::span{&result, 1},
                                                           .called = draft.called,
                                                           .attribute = builder.attribute(draft.attribute),
                                                           .line = draft.line});
    if (!draft.sharding.empty())
        builder.program().values[value.index()].sharding = builder.sharding(draft.sharding);
    builder.results(made.computation, std::span{&value, 1});
    return {std::nullopt, made.computation};
}

bool awaits_operands(const Type& start, const Program& program) {
    if (start.kind != Type::Kind::tuple || start.members.size() < 2) return false;
    const Type& results = program.types[start.members[1]];
    return results.kind == Type::Kind::tuple && results.members.empty();
}

/// Gives a start without operands an empty computation, which keeps the called functions for the done; the
/// start keeps the attribute.
void wait(InstructionDraft& draft, TypeId nothing, ProgramBuilder& builder) {
    const Wrapping made = with_parameters(draft.operands, draft.line, builder);
    const ValueId value = builder.value(made.computation, {.opcode = Opcode::tuple,
                                                           .results = std::span{&nothing, 1},
                                                           .called = draft.called,
                                                           .line = draft.line});
    builder.results(made.computation, std::span{&value, 1});
    draft.called = {made.computation};
}

std::vector<ComputationId> taken_functions(const Operation& waiting, Program& program) {
    Operation& keeper = program.computations[program.called(waiting).front().index()].operations.back();
    const auto kept = program.called(keeper);
    std::vector<ComputationId> functions{kept.begin(), kept.end()};
    keeper.called = {};
    return functions;
}

std::optional<std::string> start(InstructionDraft& draft, TypeId type, ProgramBuilder& builder) {
    const Program& program = builder.program();
    const Type& parts = program.types[type];
    if (awaits_operands(parts, program)) {
        wait(draft, parts.members[1], builder);
        return std::nullopt;
    }
    const TypeId result =
        parts.kind == Type::Kind::tuple && parts.members.size() > 1 ? parts.members[1] : type;
    const Wrapped wrapped = alone(draft, result, builder);
    draft.called = {wrapped.computation};
    draft.attribute = std::monostate{};
    return wrapped.fault;
}

Operation* maker_of(ValueId value, Program& program) {
    const Value& made = program.values[value.index()];
    if (made.operation < 0) return nullptr;
    return &program.computations[made.owner.index()].operations[static_cast<std::size_t>(made.operation)];
}

/// A waiting start and its updates.
struct Chain {
    ValueId start;
    ValueId last;                   ///< the last one that adds operands
    std::vector<ValueId> operands;  ///< of the start and all updates
};

std::optional<Chain> chain_to(ValueId value, Program& program) {
    std::vector<ValueId> updates;
    const Operation* operation = maker_of(value, program);
    for (; operation != nullptr && operation->opcode == Opcode::async_update;
         operation = maker_of(value, program)) {
        updates.push_back(value);
        value = program.operands(*operation).front();
    }
    if (operation == nullptr || operation->opcode != Opcode::async_start ||
        !awaits_operands(program.types[program.type_of(value)], program))
        return std::nullopt;
    const auto first = program.operands(*operation);
    Chain chain{value, value, {first.begin(), first.end()}};
    for (auto update = updates.rbegin(); update != updates.rend(); ++update) {
        const auto late = program.operands(*maker_of(*update, program)).subspan(1);
        chain.operands.insert(chain.operands.end(), late.begin(), late.end());
        if (!late.empty()) chain.last = *update;
    }
    return chain;
}

template <class T>
Range appended(std::vector<T>& list, std::span<const T> added) {
    list.insert(list.end(), added.begin(), added.end());
    return {static_cast<std::uint32_t>(list.size() - added.size()), static_cast<std::uint32_t>(added.size())};
}

std::optional<std::string> done(const InstructionDraft& draft, TypeId type, ProgramBuilder& builder) {
    Program& program = builder.program();
    if (draft.operands.empty()) return std::nullopt;
    const auto chain = chain_to(draft.operands.front(), program);
    if (!chain) return std::nullopt;
    const Operation& waiting = *maker_of(chain->start, program);
    InstructionDraft whole;
    whole.wrapped = draft.wrapped;
    whole.line = waiting.line;
    whole.operands = chain->operands;
    whole.called = taken_functions(waiting, program);
    if (waiting.attribute != no_attribute) whole.attribute = program.attributes[waiting.attribute.index()];
    const Wrapped wrapped = alone(std::move(whole), type, builder);
    if (wrapped.fault) return wrapped.fault;
    Operation& begins = *maker_of(chain->last, program);
    begins.opcode = Opcode::async_start;
    begins.operands = appended<ValueId>(program.operand_list, chain->operands);
    begins.called = appended<ComputationId>(program.called_list, std::span{&wrapped.computation, 1});
    return std::nullopt;
}

}  // namespace

std::optional<std::string> wrap(InstructionDraft& draft, TypeId type, ProgramBuilder& builder) {
    if (draft.opcode == Opcode::async_start) return start(draft, type, builder);
    auto wrong = draft.opcode == Opcode::async_done ? done(draft, type, builder) : std::nullopt;
    draft.called.clear();
    draft.attribute = std::monostate{};
    return wrong;
}

}  // namespace dse::ir::hlo
