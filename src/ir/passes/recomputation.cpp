#include "dse/ir/passes/recomputation.hpp"

#include <algorithm>
#include <vector>

#include "checkpoints.hpp"
#include "dse/ir/program/opcode_traits.hpp"
#include "program_copy.hpp"
#include "saved_values.hpp"
#include "uses.hpp"

namespace dse::ir {
namespace {

/// Whether an operation may be executed again with the same result.
bool can_repeat(const Operation& operation, Recomputation what) {
    const OpcodeTraits& known = traits(operation.opcode);
    if (known.recomputed == Recomputed::never) return false;
    if (known.recomputed == Recomputed::in_full_only) return what == Recomputation::full;
    switch (known.family) {
        case OpcodeClass::contraction:
        case OpcodeClass::communication:
            return what == Recomputation::full;
        case OpcodeClass::control:
        case OpcodeClass::foreign:
            return false;
        default:
            return true;
    }
}

class Recomputer {
  public:
    Recomputer(const Program& program, Recomputation what)
        : program_{program},
          what_{what},
          uses_{program},
          saved_{program, uses_},
          copy_{program},
          dropped_(program.values.size(), 0),
          left_out_(program[program.entry].operations.size(), 0) {
        find_dropped();
        leave_out();
    }

    Program run() {
        return copy_.write_all([this](ComputationId old, ComputationId now) { write(old, now); });
    }

  private:
    [[nodiscard]] const Operation& operation(std::int64_t i) const {
        return program_[program_.entry].operations[static_cast<std::size_t>(i)];
    }

    /// Finds the values of the forward pass that the backward pass recomputes, whether it reads them itself
    /// or values that depend on them.
    void find_dropped() {
        const Checkpoints checkpoints(program_, saved_);
        for (const ValueId value : saved_.forward()) {
            const bool kept = checkpoints.keeps(value) || saved_.is_pinned(value);
            const bool again = !kept && can_repeat(operation(saved_.made(value)), what_);
            dropped_[value.index()] = again ? 1 : 0;
        }
    }
    [[nodiscard]] bool is_dropped(ValueId value) const { return dropped_[value.index()] != 0; }
    [[nodiscard]] bool is_made_again(ValueId value) const {
        return is_dropped(value) && saved_.crosses(value);
    }

    /// Operations whose results only the backward pass reads are removed from the forward pass.
    void leave_out() {
        const auto turn = static_cast<std::int64_t>(saved_.turn());
        for (std::int64_t i = turn - 1; i >= 0; --i) {
            const Operation& maker = operation(i);
            bool was_read = false;
            bool is_read = false;
            for (std::size_t r = 0; r < maker.results.count; ++r) {
                const ValueId value = Program::result(maker, r);
                was_read = was_read || !uses_.of(value).empty();
                is_read = is_read || is_needed_in_front(value);
            }
            const bool pure = can_repeat(maker, Recomputation::full) && maker.called.count == 0;
            left_out_[static_cast<std::size_t>(i)] = pure && was_read && !is_read ? 1 : 0;
        }
    }

    [[nodiscard]] bool is_needed_in_front(ValueId value) const {
        const auto turn = static_cast<std::int64_t>(saved_.turn());
        return std::any_of(uses_.of(value).begin(), uses_.of(value).end(), [&](const Uses::Place& place) {
            if (place.computation != program_.entry || place.operation < 0) return true;
            if (place.operation >= turn) return !is_made_again(value);
            return left_out_[static_cast<std::size_t>(place.operation)] == 0 || !is_dropped(value);
        });
    }

    void write(ComputationId id, ComputationId now) {
        const std::vector<Operation>& operations = program_[id].operations;
        for (std::size_t i = 0; i < operations.size(); ++i) {
            if (id == program_.entry) {
                if (left_out_[i] != 0) continue;
                if (i >= saved_.turn()) remake_operands(operations[i], now);
            }
            copy_.copy(operations[i], now, program_.called(operations[i]));
        }
    }

    void remake_operands(const Operation& reader, ComputationId into) {
        for (const ValueId operand : program_.operands(reader)) {
            if (is_made_again(operand)) remake(operand, into);
        }
    }

    void remake(ValueId value, ComputationId into) {
        if (!is_dropped(value)) return;
        const Operation& maker = operation(saved_.made(value));
        for (std::size_t i = 0; i < maker.results.count; ++i) dropped_[Program::result(maker, i).index()] = 0;
        for (const ValueId operand : program_.operands(maker)) remake(operand, into);
        copy_.copy(maker, into, program_.called(maker));
        // If the original is removed, this is its only execution.
        if (left_out_[static_cast<std::size_t>(saved_.made(value))] != 0) return;
        copy_.builder().program().computations[into.index()].operations.back().repeats = true;
    }

    const Program& program_;
    Recomputation what_;
    Uses uses_;
    SavedValues saved_;
    ProgramCopy copy_;
    std::vector<char> dropped_;   ///< by value: not recomputed yet
    std::vector<char> left_out_;  ///< by operation of the entry
};

}  // namespace

Program recompute(const Program& program, Recomputation what) {
    return Recomputer{program, what}.run();
}

}  // namespace dse::ir
