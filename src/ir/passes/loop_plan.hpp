#pragma once

#include <cstdint>
#include <vector>

#include "dse/ir/program/program.hpp"
#include "loop_slices.hpp"
#include "uses.hpp"

namespace dse::ir {

/// What of a loop's body is done in another iteration than its own: collectives whose operands are known an
/// iteration ahead, and updates of a carried array by what a collective leaves.
struct LoopPlan {
    /// \param loop  while_loop that carries values
    LoopPlan(const Program& program, const Uses& uses, const Operation& loop, const LoopSlices& slices);

    enum class Part : std::uint8_t {
        own,         ///< done in its own iteration
        ahead,       ///< a collective that is issued in the iteration before
        with_ahead,  ///< what moves or converts elements for such a one, and travels with it
        link,        ///< between a collective and its update
        update       ///< dynamic_update_slice of a carried array, done in the iteration behind
    };
    std::vector<Part> parts;      ///< by operation of the body
    std::vector<ValueId> ahead;   ///< made an iteration ahead and read in their own
    std::vector<ValueId> behind;  ///< made in their own iteration and read in the one behind

    [[nodiscard]] bool is_empty() const { return ahead.empty() && behind.empty(); }
    /// Iterations that are written out: the last where there is nothing to issue ahead, the first where there
    /// is nothing to update.
    [[nodiscard]] std::int64_t peeled() const { return (ahead.empty() ? 0 : 1) + (behind.empty() ? 0 : 1); }

  private:
    class Finder;
    LoopPlan() = default;
};

}  // namespace dse::ir
