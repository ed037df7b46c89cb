#include "dse/ir/passes/collective_pipelining.hpp"

#include <cstdint>
#include <vector>

#include "carried_values.hpp"
#include "loop_plan.hpp"
#include "loop_slices.hpp"
#include "rewriter.hpp"
#include "slice_copier.hpp"
#include "uses.hpp"

namespace dse::ir {
namespace {

using Values = std::vector<ValueId>;
using Part = LoopPlan::Part;

/// Values passed from one iteration to the next.
struct Carried {
    Values state;   ///< as in the original loop
    Values ahead;   ///< LoopPlan::ahead, computed in the previous iteration
    Values behind;  ///< LoopPlan::behind, left over from the previous iteration; empty: there is none

    [[nodiscard]] Values all() const {
        Values result = state;
        result.insert(result.end(), ahead.begin(), ahead.end());
        result.insert(result.end(), behind.begin(), behind.end());
        return result;
    }
    /// Divides other values in the same way.
    [[nodiscard]] Carried like(const Values& values) const {
        const auto end_of_state = values.begin() + static_cast<std::ptrdiff_t>(state.size());
        const auto end_of_ahead = end_of_state + static_cast<std::ptrdiff_t>(ahead.size());
        return {{values.begin(), end_of_state}, {end_of_state, end_of_ahead}, {end_of_ahead, values.end()}};
    }
};

enum class Following : std::uint8_t { iteration, nothing };

/// Writes operations of a body that are unchanged.
class OwnOperations {
  public:
    virtual void write(const Operation& operation, ComputationId into) = 0;

  protected:
    ~OwnOperations() = default;
};

/// Writes one loop, with each collective in the iteration that the plan assigns to it.
class LoopWriter {
  public:
    LoopWriter(Rewriter& rewriter, OwnOperations& own, const Operation& loop, const LoopSlices& slices,
               const LoopPlan& plan)
        : rewriter_{rewriter},
          program_{rewriter.program()},
          own_{own},
          loop_{loop},
          slices_{slices},
          plan_{plan},
          body_{program_[slices.body()]} {}

    void write(ComputationId into) {
        Carried now;
        for (const ValueId operand : program_.operands(loop_)) now.state.push_back(value(operand));
        SliceCopier first(rewriter_, slices_.body(), into);
        set_arguments(first, now.state);
        for (const ValueId ahead : plan_.ahead) now.ahead.push_back(first[ahead]);
        if (!plan_.behind.empty()) now = iteration(now, Following::iteration, into);
        now = now.like(results(repeated(now, into)));
        if (!plan_.ahead.empty()) now = iteration(now, Following::nothing, into);
        update_all(now, into);
        for (std::size_t i = 0; i < now.state.size(); ++i)
            rewriter_.values().set(Program::result(loop_, i), now.state[i]);
    }

  private:
    [[nodiscard]] ValueId value(ValueId old) { return rewriter_.values()[old]; }

    void set_arguments(SliceCopier& slice, const Values& state) const {
        for (std::size_t i = 0; i < state.size(); ++i) slice.set(body_.arguments[i], state[i]);
    }

    /// Values that depend on the counters and invariants of the next iteration.
    [[nodiscard]] SliceCopier next(const Values& state, ComputationId into) {
        SliceCopier now(rewriter_, slices_.body(), into);
        set_arguments(now, state);
        SliceCopier result(rewriter_, slices_.body(), into);
        for (std::size_t i = 0; i < state.size(); ++i) {
            if (slices_.is_invariant(i)) result.set(body_.arguments[i], state[i]);
            if (slices_.is_counter(i)) result.set(body_.arguments[i], now[body_.results[i]]);
        }
        return result;
    }

    /// Writes the body once. \return what it passes on
    Carried iteration(const Carried& given, Following following, ComputationId into) {
        for (std::size_t i = 0; i < given.state.size(); ++i)
            rewriter_.values().set(body_.arguments[i], given.state[i]);
        for (std::size_t i = 0; i < given.ahead.size(); ++i)
            rewriter_.values().set(plan_.ahead[i], given.ahead[i]);
        const bool goes_on = following == Following::iteration && !plan_.ahead.empty();
        SliceCopier later = goes_on ? next(given.state, into) : SliceCopier(rewriter_, slices_.body(), into);
        for (std::size_t i = 0; i < body_.operations.size(); ++i) {
            const Operation& operation = body_.operations[i];
            if (operation.opcode == Opcode::terminator) continue;
            if (plan_.parts[i] == Part::own) own_.write(operation, into);
            if (plan_.parts[i] == Part::update) update(operation, given, into);
            if (plan_.parts[i] == Part::ahead && goes_on) (void)later[Program::result(operation)];
        }
        Carried handed_on;
        for (const ValueId result : body_.results) handed_on.state.push_back(value(result));
        for (const ValueId ahead : plan_.ahead) {
            if (goes_on) handed_on.ahead.push_back(later[ahead]);
        }
        for (const ValueId behind : plan_.behind) handed_on.behind.push_back(value(behind));
        return handed_on;
    }

    /// Updates a carried array with what the previous iteration left for it.
    void update(const Operation& operation, const Carried& given, ComputationId into) {
        const ValueId array = program_.operands(operation).front();
        ValueId updated = given.state[program_[array].number];
        if (!given.behind.empty()) {
            SliceCopier slice(rewriter_, slices_.body(), into);
            set_arguments(slice, given.state);
            for (std::size_t i = 0; i < given.behind.size(); ++i) slice.set(plan_.behind[i], given.behind[i]);
            updated = slice[Program::result(operation)];
        }
        rewriter_.values().set(Program::result(operation), updated);
    }

    /// Applies the updates left over from the last iteration.
    void update_all(Carried& last, ComputationId into) {
        for (std::size_t i = 0; i < body_.operations.size(); ++i) {
            if (plan_.parts[i] != Part::update) continue;
            const Operation& operation = body_.operations[i];
            update(operation, last, into);
            const ValueId array = program_.operands(operation).front();
            last.state[program_[array].number] = value(Program::result(operation));
        }
    }

    [[nodiscard]] std::vector<TypeId> types_of(const Values& values) {
        std::vector<TypeId> types;
        for (const ValueId each : values) types.push_back(rewriter_.builder().program().type_of(each));
        return types;
    }

    /// Starts a computation with the same name whose arguments are all carried values.
    ComputationId open(ComputationId old, const std::vector<TypeId>& types, Values& arguments) {
        const Computation& computation = program_[old];
        const ComputationId now =
            rewriter_.builder().computation(program_.text(computation.name), computation.line);
        for (const TypeId type : types) arguments.push_back(rewriter_.builder().argument(now, type));
        return now;
    }

    /// Writes the remaining loop. \return its operation
    Operation repeated(const Carried& start, ComputationId into) {
        const Values operands = start.all();
        const std::vector<TypeId> types = types_of(operands);
        Values arguments;
        const ComputationId body = open(slices_.body(), types, arguments);
        const Carried handed_on = iteration(start.like(arguments), Following::iteration, body);
        rewriter_.builder().results(body, handed_on.all());
        const std::vector<ComputationId> called{condition(start, types), body};
        ProgramBuilder::Draft draft = ProgramBuilder::like(loop_);
        draft.operands = operands;
        draft.results = types;
        draft.called = called;
        Loop runs = *program_.attribute_if<Loop>(loop_);
        *runs.trip_count -= plan_.peeled();
        draft.attribute = rewriter_.builder().attribute(runs);
        return rewriter_.builder().append(into, draft);
    }

    /// Whether there is a next iteration and, if collectives are issued ahead, another one after it.
    ComputationId condition(const Carried& start, const std::vector<TypeId>& types) {
        const ComputationId old = program_.called(loop_)[0];
        Values arguments;
        const ComputationId now = open(old, types, arguments);
        const Values state = start.like(arguments).state;
        SliceCopier asked(rewriter_, old, now);
        SliceCopier later = next(state, now);
        for (std::size_t i = 0; i < state.size(); ++i) {
            const bool is_later = !plan_.ahead.empty() && slices_.is_counter(i);
            asked.set(program_[old].arguments[i], is_later ? later[body_.arguments[i]] : state[i]);
        }
        Values answer;
        for (const ValueId result : program_[old].results) answer.push_back(asked[result]);
        rewriter_.builder().results(now, answer);
        return now;
    }

    static Values results(const Operation& operation) {
        Values values;
        for (std::size_t i = 0; i < operation.results.count; ++i)
            values.push_back(Program::result(operation, i));
        return values;
    }

    Rewriter& rewriter_;
    const Program& program_;
    OwnOperations& own_;
    const Operation& loop_;
    const LoopSlices& slices_;
    const LoopPlan& plan_;
    const Computation& body_;
};

class Pipeliner final : public Rewriter, private OwnOperations {
  public:
    explicit Pipeliner(const Program& program) : Rewriter{program}, uses_{program} {}

  private:
    void add(const Operation& operation, ComputationId into) override {
        if (operation.opcode == Opcode::while_loop && program().called(operation).size() == 2) {
            const LoopSlices slices(program(), operation);
            const LoopPlan plan(program(), uses_, operation, slices);
            if (!plan.is_empty()) return LoopWriter{*this, *this, operation, slices, plan}.write(into);
        }
        copy(operation, into);
    }
    void write(const Operation& operation, ComputationId into) override { add(operation, into); }

    Uses uses_;
};

}  // namespace

Program pipeline_collectives(const Program& program) {
    const Program carrying = with_carried_values(program);
    return Pipeliner{carrying}.run();
}

}  // namespace dse::ir
