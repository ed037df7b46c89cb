#pragma once

#include <cstdint>
#include <vector>

#include "dse/ir/program/program.hpp"
#include "loop_slices.hpp"
#include "uses.hpp"

namespace dse::ir {

/// The parts of a loop's body that move to another iteration: collectives whose operands are known one
/// iteration ahead, and updates of a carried array with the result of a collective.
struct LoopPlan {
    /// \param loop  a while_loop that carries values (not a tuple)
    LoopPlan(const Program& program, const Uses& uses, const Operation& loop, const LoopSlices& slices);

    enum class Part : std::uint8_t {
        own,         ///< executed in its own iteration
        ahead,       ///< a collective that is issued in the previous iteration
        with_ahead,  ///< moves or converts elements for such a collective and moves with it
        link,        ///< between a collective and its update
        update       ///< dynamic_update_slice of a carried array, executed in the next iteration
    };
    std::vector<Part> parts;      ///< by operation of the body
    std::vector<ValueId> ahead;   ///< computed one iteration ahead and read in their own
    std::vector<ValueId> behind;  ///< computed in their own iteration and read in the next one

    [[nodiscard]] bool is_empty() const { return ahead.empty() && behind.empty(); }
    /// Number of peeled iterations: the last one if collectives are issued ahead, the first one if updates
    /// are deferred.
    [[nodiscard]] std::int64_t peeled() const { return (ahead.empty() ? 0 : 1) + (behind.empty() ? 0 : 1); }

  private:
    class Finder;
    LoopPlan() = default;
};

}  // namespace dse::ir
