#pragma once

#include <span>
#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// What of a loop's body can be said an iteration ahead: what follows from values that the loop does not
/// change and from its counters (scalars that follow from themselves), by operations that only move, convert
/// or combine elements.
class LoopSlices {
  public:
    /// \param loop  while_loop that carries values; called: condition, body
    LoopSlices(const Program& program, const Operation& loop);

    [[nodiscard]] ComputationId body() const { return body_; }
    /// Whether each iteration hands on a carried value as it got it.
    [[nodiscard]] bool is_invariant(std::size_t carried) const {
        return computation().results[carried] == computation().arguments[carried];
    }
    [[nodiscard]] bool is_counter(std::size_t carried) const { return counter_[carried] != 0; }
    /// Whether a value of the body, or of what stands around it, is known an iteration ahead.
    [[nodiscard]] bool is_known(ValueId value) const;
    [[nodiscard]] bool are_known(std::span<const ValueId> values) const;
    /// Whether it is made wherever it is needed, at no cost: constants and scalars.
    [[nodiscard]] bool is_free(const Operation& operation) const;
    /// The operation of the body that makes a value; none where the body gets it.
    [[nodiscard]] const Operation* maker(ValueId value) const;

    /// Whether it moves, converts or combines elements, and no more.
    [[nodiscard]] bool only_moves(const Operation& operation) const;
    /// Whether a condition asks for nothing but invariants and counters, so that it can be asked of the
    /// iteration that follows.
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
