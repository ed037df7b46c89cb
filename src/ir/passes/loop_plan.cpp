#include "loop_plan.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace dse::ir {

namespace {

bool is_pipelined(const Operation& operation) {
    constexpr std::array list{Opcode::all_gather, Opcode::all_reduce,         Opcode::reduce_scatter,
                              Opcode::all_to_all, Opcode::collective_permute, Opcode::collective_broadcast};
    return operation.results.count == 1 &&
           std::find(list.begin(), list.end(), operation.opcode) != list.end();
}

}  // namespace

class LoopPlan::Finder {
  public:
    Finder(LoopPlan& plan, const Program& program, const Uses& uses, const LoopSlices& slices)
        : plan_{plan},
          program_{program},
          uses_{uses},
          slices_{slices},
          body_{program[slices.body()]},
          index_of_{body_.operations.data()} {
        plan_.parts.assign(body_.operations.size(), Part::own);
    }

    void find_ahead() {
        for (const Operation& operation : body_.operations) {
            const bool known = slices_.are_known(program_.operands(operation));
            if (!is_pipelined(operation) || !known || uses_.of(Program::result(operation)).empty()) continue;
            part(operation) = Part::ahead;
            for (const ValueId operand : program_.operands(operation)) take_along(operand);
        }
        for (const Operation& operation : body_.operations) {
            const bool early = part(operation) == Part::ahead || part(operation) == Part::with_ahead;
            if (early && is_read_in_place(Program::result(operation)))
                plan_.ahead.push_back(Program::result(operation));
        }
    }

    void find_behind() {
        for (const Operation& operation : body_.operations) {
            if (is_pipelined(operation) && part(operation) == Part::own) find_update(operation);
        }
    }

  private:
    Part& part(const Operation& operation) {
        return plan_.parts[static_cast<std::size_t>(&operation - index_of_)];
    }

    void take_along(ValueId value) {
        const Operation* maker = slices_.maker(value);
        if (maker == nullptr || slices_.is_free(*maker) || part(*maker) != Part::own) return;
        part(*maker) = Part::with_ahead;
        for (const ValueId operand : program_.operands(*maker)) take_along(operand);
    }

    /// Whether a value is read in its own iteration, other than by operations that are moved ahead with it.
    [[nodiscard]] bool is_read_in_place(ValueId value) {
        return std::any_of(uses_.of(value).begin(), uses_.of(value).end(), [&](const Uses::Place& place) {
            if (place.computation != slices_.body() || place.operation < 0) return true;
            const Part user = plan_.parts[static_cast<std::size_t>(place.operation)];
            return user != Part::ahead && user != Part::with_ahead;
        });
    }

    [[nodiscard]] const Operation* only_reader(ValueId value) const {
        const auto& places = uses_.of(value);
        const bool one = places.size() == 1 && places.front().computation == slices_.body() &&
                         places.front().operation >= 0;
        return one ? &body_.operations[static_cast<std::size_t>(places.front().operation)] : nullptr;
    }

    /// Finds a chain of operations that only move the collective's result, up to the update of a carried
    /// array.
    void find_update(const Operation& collective) {
        std::vector<const Operation*> links;
        std::vector<ValueId> beside;
        ValueId value = Program::result(collective);
        for (const Operation* reader = only_reader(value); reader != nullptr; reader = only_reader(value)) {
            if (!collect_beside(*reader, value, beside)) return;
            if (reader->opcode == Opcode::dynamic_update_slice) {
                if (is_update(*reader, value)) add(collective, links, *reader, beside);
                return;
            }
            links.push_back(reader);
            value = Program::result(*reader);
        }
    }

    /// Collects the other operands of an operation in the chain, which must cost nothing to keep for an
    /// iteration.
    bool collect_beside(const Operation& operation, ValueId chain, std::vector<ValueId>& beside) const {
        if (!slices_.only_moves(operation)) return false;
        const bool updates = operation.opcode == Opcode::dynamic_update_slice;
        const auto operands = program_.operands(operation);
        for (std::size_t i = updates ? 1 : 0; i < operands.size(); ++i) {
            const ValueId value = operands[i];
            const Value& made = program_[value];
            if (value == chain || made.owner != slices_.body()) continue;
            const Operation* maker = slices_.maker(value);
            if (maker == nullptr ? slices_.is_invariant(made.number) : maker->opcode == Opcode::constant)
                continue;
            if (program_.types.elements(program_.type_of(value)) > 1.0) return false;
            beside.push_back(value);
        }
        return true;
    }

    /// Whether an operation writes the value into a carried array that nothing else accesses in an iteration.
    [[nodiscard]] bool is_update(const Operation& operation, ValueId written) const {
        const auto operands = program_.operands(operation);
        const Value& array = program_[operands[0]];
        if (operands[1] != written || array.owner != slices_.body() || array.operation >= 0) return false;
        const auto& ends = uses_.of(Program::result(operation));
        return uses_.of(operands[0]).size() == 1 && ends.size() == 1 && ends.front().operation < 0 &&
               body_.results[array.number] == Program::result(operation);
    }

    void add(const Operation& collective, const std::vector<const Operation*>& links, const Operation& update,
             const std::vector<ValueId>& beside) {
        for (const Operation* link : links) part(*link) = Part::link;
        part(update) = Part::update;
        keep(Program::result(collective));
        for (const ValueId value : beside) keep(value);
    }

    void keep(ValueId value) {
        std::vector<ValueId>& kept = plan_.behind;
        if (std::find(kept.begin(), kept.end(), value) == kept.end()) kept.push_back(value);
    }

    LoopPlan& plan_;
    const Program& program_;
    const Uses& uses_;
    const LoopSlices& slices_;
    const Computation& body_;
    const Operation* index_of_;
};

LoopPlan::LoopPlan(const Program& program, const Uses& uses, const Operation& loop,
                   const LoopSlices& slices) {
    const auto* runs = program.attribute_if<Loop>(loop);
    if (runs == nullptr || !runs->trip_count) return;
    LoopPlan found;
    Finder finder(found, program, uses, slices);
    if (slices.can_look_ahead(program.called(loop)[0])) finder.find_ahead();
    finder.find_behind();
    if (*runs->trip_count > found.peeled()) *this = std::move(found);
}

}  // namespace dse::ir
