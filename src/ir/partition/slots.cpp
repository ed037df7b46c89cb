#include "ir/partition/slots.hpp"

#include <algorithm>
#include <map>

namespace dse::ir::partition {

Slots::Slots(const Program& program) {
    first_.reserve(program.values.size() + 1);
    for (const Value& value : program.values) {
        first_.push_back(static_cast<std::uint32_t>(types_.size()));
        add(program, value.type);
    }
    first_.push_back(static_cast<std::uint32_t>(types_.size()));
    for (std::size_t i = 0; i < types_.size(); ++i) shared_.emplace_back(i);
    for (const ValueId result : program[program.entry].results) {
        returned_.push_back(static_cast<std::uint32_t>(types_.size()));
        add(program, program.type_of(result));
    }
    share(program);
    for (SlotId& slot : shared_) slot = root(slot);
}

void Slots::add(const Program& program, TypeId id) {
    const Type& type = program.types[id];
    if (type.kind == Type::Kind::tuple) {
        for (const TypeId member : type.members) add(program, member);
        return;
    }
    types_.push_back(&type);
    bytes_.push_back(program.types.bytes(id));
}

void Slots::share(const Program& program) {
    std::map<std::int64_t, ValueId> groups;
    for (const Computation& computation : program.computations) {
        for (const Operation& operation : computation.operations) {
            if (operation.opcode == Opcode::while_loop) {
                for (const ComputationId id : program.called(operation)) {
                    const std::vector<ValueId>& arguments = program[id].arguments;
                    for (std::size_t i = 0; i < arguments.size() && i < operation.results.count; ++i)
                        share(Program::result(operation, i), arguments[i]);
                }
                for (std::size_t i = 0; i < operation.operands.count; ++i)
                    if (is_invariant(program, operation, i))
                        share(program.operands(operation)[i], Program::result(operation, i));
            }
            const auto* group = program.attribute_if<Index>(operation);
            if (operation.opcode != Opcode::sharding_group || group == nullptr) continue;
            for (const ValueId value : program.operands(operation))
                share(groups.emplace(group->number, value).first->second, value);
        }
    }
}

// Leaves of different shapes, which only a malformed program could relate, are not merged.
void Slots::share(ValueId with, ValueId value) {
    for (std::size_t leaf = 0; leaf < std::min(count(with), count(value)); ++leaf) {
        const SlotId now = root(of(with, leaf));
        const SlotId before = root(of(value, leaf));
        if (type(now).sizes == type(before).sizes) shared_[before.index()] = now;
    }
}

SlotId Slots::root(SlotId slot) const {
    while (shared_[slot.index()] != slot) slot = shared_[slot.index()];
    return slot;
}

bool is_invariant(const Program& program, const Operation& loop, std::size_t carried) {
    const auto called = program.called(loop);
    if (loop.opcode != Opcode::while_loop || called.empty() || carried >= loop.results.count ||
        carried >= loop.operands.count)
        return false;
    const Computation& body = program[called.back()];
    return carried < body.results.size() && carried < body.arguments.size() &&
           body.results[carried] == body.arguments[carried];
}

std::optional<std::size_t> first_leaf(const Program& program, const Operation& element) {
    const auto* index = program.attribute_if<Index>(element);
    const auto operands = program.operands(element);
    if (index == nullptr || operands.size() != 1 || index->number < 0) return std::nullopt;
    const Type& whole = program.types[program.type_of(operands[0])];
    const auto number = static_cast<std::size_t>(index->number);
    if (number >= whole.members.size()) return std::nullopt;
    std::size_t leaf = 0;
    for (std::size_t i = 0; i < number; ++i) leaf += program.types.leaves(whole.members[i]);
    return leaf;
}

}  // namespace dse::ir::partition
