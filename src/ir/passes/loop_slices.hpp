#pragma once

#include <span>
#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// The values of a loop's body that are known one iteration ahead: those that depend only on values that the
/// loop does not change and on its counters (scalars that depend only on themselves), through operations that
/// only move, convert or combine elements.
class LoopSlices {
  public:
    /// \param loop  a while_loop that carries values; called: condition, body
    LoopSlices(const Program& program, const Operation& loop);

    [[nodiscard]] ComputationId body() const { return body_; }
    /// Whether each iteration passes a carried value on unchanged.
    [[nodiscard]] bool is_invariant(std::size_t carried) const {
        return computation().results[carried] == computation().arguments[carried];
    }
    [[nodiscard]] bool is_counter(std::size_t carried) const { return counter_[carried] != 0; }
    /// Whether a value of the body, or of enclosing computations, is known one iteration ahead.
    [[nodiscard]] bool is_known(ValueId value) const;
    [[nodiscard]] bool are_known(std::span<const ValueId> values) const;
    /// Whether the operation can be duplicated at no cost: constants and scalars.
    [[nodiscard]] bool is_free(const Operation& operation) const;
    /// The operation of the body that defines a value; none if the body receives it.
    [[nodiscard]] const Operation* maker(ValueId value) const;

    /// Whether the operation only moves, converts or combines elements.
    [[nodiscard]] bool only_moves(const Operation& operation) const;
    /// Whether a condition depends only on invariants and counters, so that it can be evaluated for the next
    /// iteration.
    [[nodiscard]] bool can_look_ahead(ComputationId condition) const;

  private:
    [[nodiscard]] const Computation& computation() const { return program_[body_]; }
    void find_known();

    const Program& program_;
    ComputationId body_;
    std::vector<char> counter_;  ///< by carried value
    std::vector<char> known_;    ///< by operation of the body
};

}  // namespace dse::ir
