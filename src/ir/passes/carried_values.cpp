#include "carried_values.hpp"

#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "rewriter.hpp"

namespace dse::ir {
namespace {

using Members = std::vector<ValueId>;

class Opener final : public Rewriter {
  public:
    using Rewriter::Rewriter;

  private:
    void add(const Operation& operation, ComputationId into) override {
        const auto operands = program().operands(operation);
        if (operation.opcode == Opcode::tuple && operation.results.count == 1) {
            Members members;
            for (const ValueId operand : operands) members.push_back(value_of(operand, into));
            return open(Program::result(operation), std::move(members));
        }
        if (operation.opcode == Opcode::get_tuple_element) {
            const auto found = members_.find(operands.front().index());
            const auto* index = program().attribute_if<Index>(operation);
            if (found != members_.end() && index != nullptr)
                return values().set(Program::result(operation),
                                    found->second.at(static_cast<std::size_t>(index->number)));
        }
        if (carries_a_tuple(operation)) return open_loop(operation, into);
        for (const ValueId operand : operands) value_of(operand, into);
        copy(operation, into);
    }

    void finish(ComputationId old, ComputationId now) override {
        for (const ValueId result : program()[old].results) value_of(result, now);
    }

    void open(ValueId old, Members members) {
        members_[old.index()] = std::move(members);
        whole_.erase(old.index());
    }

    /// The new value of an old one. A tuple of which only the members have been needed so far is created
    /// here.
    ValueId value_of(ValueId old, ComputationId into) {
        const auto found = members_.find(old.index());
        if (found == members_.end() || whole_.contains(old.index())) return values()[old];
        const std::vector<TypeId> type{program().type_of(old)};
        const ValueId made = builder().value(into, {.opcode = Opcode::tuple,
                                                    .name = builder().name("tuple"),
                                                    .operands = found->second,
                                                    .results = type});
        values().set(old, made);
        whole_.insert(old.index());
        return made;
    }

    [[nodiscard]] bool is_tuple(ValueId value) const {
        return program().types[program().type_of(value)].kind == Type::Kind::tuple;
    }
    [[nodiscard]] bool carries_a_tuple(const Operation& operation) const {
        if (operation.opcode != Opcode::while_loop || operation.operands.count != 1) return false;
        const auto called = program().called(operation);
        return is_tuple(program().operands(operation).front()) && called.size() == 2 &&
               program()[called[0]].arguments.size() == 1 && program()[called[1]].arguments.size() == 1 &&
               program()[called[1]].results.size() == 1;
    }

    Members members_of(ValueId old, ComputationId into) {
        const auto found = members_.find(old.index());
        if (found != members_.end()) return found->second;
        const std::vector<ValueId> whole{value_of(old, into)};
        Members members;
        const std::vector<TypeId> types = program().types[program().type_of(old)].members;
        for (std::size_t i = 0; i < types.size(); ++i) {
            const std::vector<TypeId> type{types[i]};
            members.push_back(builder().value(
                into, {.opcode = Opcode::get_tuple_element,
                       .name = builder().name("get-tuple-element"),
                       .operands = whole,
                       .results = type,
                       .attribute = builder().attribute(Index{static_cast<std::int64_t>(i)})}));
        }
        return members;
    }

    void open_loop(const Operation& loop, ComputationId into) {
        const ValueId carried = program().operands(loop).front();
        const Members inits = members_of(carried, into);
        const std::vector<TypeId> types = program().types[program().type_of(carried)].members;
        const auto called = program().called(loop);
        const std::vector<ComputationId> opened{open_body(called[0], types, false),
                                                open_body(called[1], types, true)};
        ProgramBuilder::Draft draft = ProgramBuilder::like(loop);
        draft.operands = inits;
        draft.results = types;
        draft.called = opened;
        const Operation added = builder().append(into, draft);
        Members results;
        for (std::size_t i = 0; i < types.size(); ++i) results.push_back(Program::result(added, i));
        open(Program::result(loop), std::move(results));
    }

    /// \param next  whether the result is the tuple for the next iteration
    ComputationId open_body(ComputationId old, const std::vector<TypeId>& types, bool next) {
        const Computation& computation = program()[old];
        const ComputationId now = builder().computation(program().text(computation.name), computation.line);
        Members arguments;
        for (const TypeId type : types) arguments.push_back(builder().argument(now, type));
        open(computation.arguments.front(), std::move(arguments));
        for (const Operation& operation : computation.operations) {
            if (operation.opcode != Opcode::parameter) add(operation, now);
        }
        Members results;
        if (next) {
            results = members_of(computation.results.front(), now);
        } else {
            for (const ValueId result : computation.results) results.push_back(value_of(result, now));
        }
        builder().results(now, results);
        return now;
    }

    std::unordered_map<std::size_t, Members> members_;  ///< by old tuple: the new values of its members
    std::unordered_set<std::size_t> whole_;             ///< tuples of members_ that have been created as a
                                                        ///< whole
};

}  // namespace

Program with_carried_values(const Program& program) {
    return program.language == Language::hlo ? Opener{program}.run() : program;
}

}  // namespace dse::ir
