#include "ir/partition/relations.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "ir/partition/foreign_factors.hpp"
#include "ir/partition/manual_border.hpp"
#include "ir/partition/opcode_parts.hpp"
#include "ir/partition/reading_order.hpp"
#include "ir/partition/rule_table.hpp"
#include "ir/partition/stated_sharding.hpp"

namespace dse::ir::partition {
namespace {

class RelationList {
  public:
    RelationList(const Program& program, const Slots& slots)
        : program_{program},
          slots_{slots},
          rules_{program},
          readers_(program.values.size(), 0),
          entered_(program.computations.size(), false) {
        count_readers();
    }

    std::vector<Relation> all() {
        std::size_t operations = 0;
        for (const Computation& computation : program_.computations)
            operations += computation.operations.size();
        relations_.reserve(operations);
        run(program_.entry);
        for (std::size_t c = 0; c < program_.computations.size(); ++c) run(ComputationId{c});
        const auto& results = program_[program_.entry].results;
        for (std::size_t i = 0; i < results.size(); ++i)
            for (std::size_t leaf = 0; leaf < slots_.count(results[i]); ++leaf)
                edge({slots_.of(results[i], leaf)}, slots_.returned(i, leaf), Passage::returns);
        return std::move(relations_);
    }

  private:
    void run(ComputationId id) {
        if (entered_[id.index()]) return;
        entered_[id.index()] = true;
        for (const Operation* operation : reading_order(program_, id)) {
            if (opcode_parts(operation->opcode).role == Role::enter) enter(*operation);
            for (const ComputationId called : program_.called(*operation)) run(called);
            add(*operation);
        }
    }

    void add(const Operation& operation) {
        switch (opcode_parts(operation.opcode).role) {
            case Role::loop:
                loop(operation);
                return;
            case Role::enter:
                for (const ComputationId id : program_.called(operation)) leave({id}, operation);
                return;
            case Role::branch:
                branches(operation);
                return;
            case Role::manual:
                borders(operation);
                return;
            case Role::tuple:
                tuple(operation);
                return;
            case Role::element:
                element(operation);
                return;
            case Role::move:
            case Role::fence:
                through(operation);
                return;
            default:
                break;
        }
        if (is_sharding_call(program_, operation)) {
            through(operation);
            return;
        }
        const std::shared_ptr<const FactorRule>& rule = rules_.of(operation);
        if (rule == nullptr) return;
        Relation relation{rule, {}, passage_of(operation.opcode), false, {}, Program::result(operation)};
        if (operation.opcode == Opcode::custom_call) relation.passage = passage_of_call(operation);
        if (operation.opcode == Opcode::broadcast && repeats_nothing(operation))
            relation.passage = Passage::through;
        relation.tensors.reserve(operation.operands.count + operation.results.count);
        for (const ValueId operand : program_.operands(operation)) {
            relation.tensors.push_back(slots_.of(operand));
            relation.shares_operands = relation.shares_operands || is_shared(operand);
        }
        for (std::size_t i = 0; i < operation.results.count; ++i)
            relation.tensors.push_back(slots_.of(Program::result(operation, i)));
        relations_.push_back(std::move(relation));
    }

    [[nodiscard]] Passage passage_of_call(const Operation& operation) const {
        const auto* call = program_.attribute_if<ForeignCall>(operation);
        return call != nullptr && keeps_places(program_.text(call->target)) ? Passage::through
                                                                            : Passage::other;
    }

    // A broadcast that only adds dimensions of size 1 is a reshape, and compilers turn it into one.
    [[nodiscard]] bool repeats_nothing(const Operation& operation) const {
        const auto elements = [this](ValueId value) {
            return program_.types.elements(program_.type_of(value));
        };
        return elements(program_.operands(operation)[0]) == elements(Program::result(operation));
    }

    [[nodiscard]] bool is_shared(ValueId value) const {
        return readers_[origin(value).index()] > 1 && !program_.types[program_.type_of(value)].sizes.empty();
    }

    // Operations that pass a value unchanged through a loop do not count as readers.
    void count_readers() {
        find_origins();
        for (const Computation& computation : program_.computations) {
            for (const Operation& operation : computation.operations) {
                if (operation.opcode == Opcode::terminator) continue;
                const auto operands = program_.operands(operation);
                for (std::size_t i = 0; i < operands.size(); ++i)
                    if (!is_invariant(program_, operation, i)) ++readers_[origin(operands[i]).index()];
            }
            for (std::size_t i = 0; i < computation.results.size(); ++i) {
                const ValueId result = computation.results[i];
                const bool stays = i < computation.arguments.size() && computation.arguments[i] == result &&
                                   origins_.contains(result);
                if (!stays) ++readers_[origin(result).index()];
            }
        }
    }

    void find_origins() {
        for (const Computation& computation : program_.computations)
            for (const Operation& operation : computation.operations)
                for (std::size_t i = 0; i < operation.operands.count; ++i)
                    if (is_invariant(program_, operation, i)) add_origin(operation, i);
    }

    void add_origin(const Operation& loop, std::size_t carried) {
        const ValueId before = program_.operands(loop)[carried];
        origins_[Program::result(loop, carried)] = before;
        for (const ComputationId id : program_.called(loop))
            if (carried < program_[id].arguments.size()) origins_[program_[id].arguments[carried]] = before;
    }

    // The value before all loops that carry it unchanged.
    [[nodiscard]] ValueId origin(ValueId value) const {
        for (auto found = origins_.find(value); found != origins_.end(); found = origins_.find(value))
            value = found->second;
        return value;
    }

    void edge(std::vector<SlotId> sources, SlotId target, Passage passage = Passage::through) {
        if (std::all_of(sources.begin(), sources.end(), [target](SlotId slot) { return slot == target; }))
            return;
        std::vector<const Type*> types;
        types.reserve(sources.size());
        for (const SlotId slot : sources) types.push_back(&slots_.type(slot));
        auto rule = std::make_shared<const FactorRule>(alike(types, {&slots_.type(target)}));
        sources.push_back(target);
        relations_.push_back({std::move(rule), std::move(sources), passage, false, {}});
    }

    // The target is one of the sources, leaf by leaf. Values that do not match in a malformed program are not
    // related.
    void edges(const std::vector<ValueId>& sources, ValueId target) {
        const std::size_t leaves = slots_.count(target);
        if (std::any_of(sources.begin(), sources.end(),
                        [&](ValueId value) { return slots_.count(value) != leaves; }))
            return;
        for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
            std::vector<SlotId> slots;
            slots.reserve(sources.size());
            for (const ValueId value : sources) slots.push_back(slots_.of(value, leaf));
            edge(std::move(slots), slots_.of(target, leaf));
        }
    }

    void through(const Operation& operation) {
        const auto operands = program_.operands(operation);
        const std::size_t count = std::min<std::size_t>(operands.size(), operation.results.count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t first = relations_.size();
            edges({operands[i]}, Program::result(operation, i));
            for (std::size_t r = first; r < relations_.size(); ++r) {
                relations_[r].passage = passage_of(operation.opcode);
                relations_[r].shares_operands = is_shared(operands[i]);
                if (const auto* barrier = program_.attribute_if<Barrier>(operation))
                    relations_[r].allows = *barrier;
            }
        }
    }

    // Relates the initial values and those returned by the body to the result, which shares its slots with
    // the arguments of the body and the condition.
    void loop(const Operation& operation) {
        const auto operands = program_.operands(operation);
        const auto called = program_.called(operation);
        if (called.empty()) return;
        const Computation& body = program_[called.back()];
        for (std::size_t i = 0; i < operands.size() && i < operation.results.count; ++i) {
            std::vector<ValueId> sources{operands[i]};
            if (i < body.results.size()) sources.push_back(body.results[i]);
            edges(sources, Program::result(operation, i));
        }
    }

    void enter(const Operation& operation) {
        const auto operands = program_.operands(operation);
        for (const ComputationId id : program_.called(operation))
            for (std::size_t i = 0; i < operands.size() && i < program_[id].arguments.size(); ++i)
                edges({operands[i]}, program_[id].arguments[i]);
    }

    void leave(const std::vector<ComputationId>& from, const Operation& operation) {
        for (std::size_t i = 0; i < operation.results.count; ++i) {
            std::vector<ValueId> sources;
            for (const ComputationId id : from)
                if (i < program_[id].results.size()) sources.push_back(program_[id].results[i]);
            if (!sources.empty()) edges(sources, Program::result(operation, i));
        }
    }

    // In HLO each branch has its own operand after the condition; in MLIR regions can read outer values.
    void branches(const Operation& operation) {
        const auto operands = program_.operands(operation);
        const auto called = program_.called(operation);
        for (std::size_t i = 0; i < called.size(); ++i)
            if (i + 1 < operands.size() && !program_[called[i]].arguments.empty())
                edges({operands[i + 1]}, program_[called[i]].arguments[0]);
        leave({called.begin(), called.end()}, operation);
    }

    // Relates the values that enter and leave a manual computation, along the axes that are not manual.
    void borders(const Operation& operation) {
        const auto* manual = program_.attribute_if<ManualComputation>(operation);
        const auto operands = program_.operands(operation);
        const auto called = program_.called(operation);
        if (manual == nullptr || called.size() != 1) return;
        const Computation& body = program_[called[0]];
        const std::size_t in = std::min({operands.size(), manual->in.size(), body.arguments.size()});
        for (std::size_t i = 0; i < in; ++i) border(operands[i], body.arguments[i], manual->in[i], operation);
        const std::size_t out =
            std::min({std::size_t{operation.results.count}, manual->out.size(), body.results.size()});
        for (std::size_t i = 0; i < out; ++i)
            border(Program::result(operation, i), body.results[i], manual->out[i], operation);
    }

    void border(ValueId outside, ValueId inside, const Sharding& sharding, const Operation& operation) {
        if (slots_.count(outside) != 1 || slots_.count(inside) != 1) return;
        const Type& whole = slots_.type(slots_.of(outside));
        const auto& manual = program_.attribute_if<ManualComputation>(operation)->manual_axes;
        std::optional<FactorRule> rule =
            border_rule(whole, slots_.type(slots_.of(inside)),
                        by_hand(sharding, manual, whole.sizes.size(), operation.line));
        if (!rule) return;
        relations_.push_back({std::make_shared<const FactorRule>(std::move(*rule)),
                              {slots_.of(outside), slots_.of(inside)},
                              Passage::through,
                              false,
                              {}});
    }

    void tuple(const Operation& operation) {
        const ValueId whole = Program::result(operation);
        std::size_t leaf = 0;
        for (const ValueId operand : program_.operands(operation))
            for (std::size_t i = 0; i < slots_.count(operand) && leaf < slots_.count(whole); ++i)
                edge({slots_.of(operand, i)}, slots_.of(whole, leaf++));
    }

    void element(const Operation& operation) {
        const auto leaf = first_leaf(program_, operation);
        if (!leaf) return;
        const ValueId whole = program_.operands(operation)[0];
        const ValueId result = Program::result(operation);
        if (*leaf + slots_.count(result) > slots_.count(whole)) return;
        for (std::size_t i = 0; i < slots_.count(result); ++i)
            edge({slots_.of(whole, *leaf + i)}, slots_.of(result, i));
    }

    const Program& program_;
    const Slots& slots_;
    RuleTable rules_;
    std::map<ValueId, ValueId> origins_;  ///< of values that a loop carries unchanged: the value before it
    std::vector<std::uint32_t> readers_;  ///< by value
    std::vector<bool> entered_;           ///< by computation
    std::vector<Relation> relations_;
};

}  // namespace

std::vector<Relation> relations(const Program& program, const Slots& slots) {
    return RelationList{program, slots}.all();
}

Passage passage_of(Opcode opcode) {
    return opcode_parts(opcode).passage;
}

}  // namespace dse::ir::partition
