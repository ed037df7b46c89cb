#include "ir/partition/slots.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "ir/partition/stated_sharding.hpp"

namespace dse::ir::partition {
namespace {

class RelationList {
  public:
    RelationList(const Program& program, const Slots& slots) : program_{program}, slots_{slots} {}

    std::vector<Relation> all() {
        for (const Computation& computation : program_.computations)
            for (const Operation& operation : computation.operations) add(operation);
        return std::move(relations_);
    }

  private:
    void add(const Operation& operation) {
        switch (operation.opcode) {
            case Opcode::while_loop:
                loop(operation);
                return;
            case Opcode::call:
            case Opcode::composite:
            case Opcode::named_computation:
                call(operation);
                return;
            case Opcode::conditional:
                branches(operation);
                return;
            case Opcode::tuple:
                tuple(operation);
                return;
            case Opcode::get_tuple_element:
                element(operation);
                return;
            case Opcode::sharding_constraint:
            case Opcode::reshard:
            case Opcode::propagation_barrier:
            case Opcode::optimization_barrier:
                through(program_.operands(operation), operation);
                return;
            case Opcode::custom_call:
                if (is_sharding_call(program_, operation)) through(program_.operands(operation), operation);
                return;
            default:
                break;
        }
        std::optional<FactorRule> rule = factor_rule(program_, operation);
        if (!rule) return;
        Relation relation{std::move(*rule), {}, turn_of(operation.opcode)};
        for (const ValueId operand : program_.operands(operation))
            relation.tensors.push_back(slots_.of(operand));
        for (std::size_t i = 0; i < operation.results.count; ++i)
            relation.tensors.push_back(slots_.of(Program::result(operation, i)));
        relations_.push_back(std::move(relation));
    }

    void edge(const std::vector<SlotId>& ends) {
        std::vector<const Type*> types;
        for (const SlotId slot : ends) types.push_back(&slots_.type(slot));
        relations_.push_back({alike(types, {}), ends, Turn::first});
    }

    // Values that are one and the same, leaf by leaf. What a malformed program makes unlike stays untied.
    void tie(const std::vector<ValueId>& values) {
        const std::size_t leaves = slots_.count(values.front());
        if (std::any_of(values.begin(), values.end(),
                        [&](ValueId value) { return slots_.count(value) != leaves; }))
            return;
        for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
            std::vector<SlotId> ends;
            for (const ValueId value : values) ends.push_back(slots_.of(value, leaf));
            edge(ends);
        }
    }

    void through(std::span<const ValueId> operands, const Operation& operation) {
        const std::size_t count = std::min<std::size_t>(operands.size(), operation.results.count);
        for (std::size_t i = 0; i < count; ++i) tie({operands[i], Program::result(operation, i)});
    }

    // Operand, argument of the condition and of the body, result of the body and of the loop.
    void loop(const Operation& operation) {
        const auto operands = program_.operands(operation);
        const auto called = program_.called(operation);
        if (called.empty()) return;
        for (std::size_t i = 0; i < operands.size() && i < operation.results.count; ++i) {
            std::vector<ValueId> values{operands[i], Program::result(operation, i)};
            for (const ComputationId id : called) {
                const Computation& computation = program_[id];
                if (i < computation.arguments.size()) values.push_back(computation.arguments[i]);
            }
            const Computation& body = program_[called.back()];
            if (i < body.results.size()) values.push_back(body.results[i]);
            tie(values);
        }
    }

    void enter(const Computation& computation, std::span<const ValueId> operands) {
        for (std::size_t i = 0; i < operands.size() && i < computation.arguments.size(); ++i)
            tie({operands[i], computation.arguments[i]});
    }

    void leave(const Computation& computation, const Operation& operation) {
        for (std::size_t i = 0; i < computation.results.size() && i < operation.results.count; ++i)
            tie({computation.results[i], Program::result(operation, i)});
    }

    void call(const Operation& operation) {
        for (const ComputationId id : program_.called(operation)) {
            enter(program_[id], program_.operands(operation));
            leave(program_[id], operation);
        }
    }

    // HLO gives each branch an operand of its own behind the choice; regions of MLIR see their surroundings.
    void branches(const Operation& operation) {
        const auto operands = program_.operands(operation);
        const auto called = program_.called(operation);
        for (std::size_t i = 0; i < called.size(); ++i) {
            if (i + 1 < operands.size()) enter(program_[called[i]], operands.subspan(i + 1, 1));
            leave(program_[called[i]], operation);
        }
    }

    void tuple(const Operation& operation) {
        const ValueId whole = Program::result(operation);
        std::size_t leaf = 0;
        for (const ValueId operand : program_.operands(operation))
            for (std::size_t i = 0; i < slots_.count(operand) && leaf < slots_.count(whole); ++i)
                edge({slots_.of(operand, i), slots_.of(whole, leaf++)});
    }

    void element(const Operation& operation) {
        const auto* index = program_.attribute_if<Index>(operation);
        const auto operands = program_.operands(operation);
        if (index == nullptr || operands.size() != 1) return;
        const Type& whole = program_.types[program_.type_of(operands[0])];
        if (index->number < 0 || static_cast<std::size_t>(index->number) >= whole.members.size()) return;
        std::size_t leaf = 0;
        for (std::size_t i = 0; i < static_cast<std::size_t>(index->number); ++i)
            leaf += leaves_of(whole.members[i]);
        const ValueId result = Program::result(operation);
        if (leaf + slots_.count(result) > slots_.count(operands[0])) return;
        for (std::size_t i = 0; i < slots_.count(result); ++i)
            edge({slots_.of(operands[0], leaf + i), slots_.of(result, i)});
    }

    [[nodiscard]] std::size_t leaves_of(TypeId id) const {
        const Type& type = program_.types[id];
        if (type.kind == Type::Kind::array) return 1;
        std::size_t leaves = 0;
        for (const TypeId member : type.members) leaves += leaves_of(member);
        return leaves;
    }

    const Program& program_;
    const Slots& slots_;
    std::vector<Relation> relations_;
};

}  // namespace

Slots::Slots(const Program& program) {
    first_.reserve(program.values.size() + 1);
    for (const Value& value : program.values) {
        first_.push_back(static_cast<std::uint32_t>(types_.size()));
        add(program, value.type);
    }
    first_.push_back(static_cast<std::uint32_t>(types_.size()));
}

void Slots::add(const Program& program, TypeId id) {
    const Type& type = program.types[id];
    if (type.kind == Type::Kind::array) {
        types_.push_back(&type);
        bytes_.push_back(program.types.bytes(id));
    }
    for (const TypeId member : type.members) add(program, member);
}

std::vector<Relation> relations(const Program& program, const Slots& slots) {
    return RelationList{program, slots}.all();
}

}  // namespace dse::ir::partition
