#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dse/ir/program/cost/cost.hpp"
#include "dse/ir/program/cost/foreign_costs.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// How often the body of a loop counts.
enum class LoopCounting : std::uint8_t {
    once,          ///< XLA's rule
    by_trip_count  ///< as often as it runs; once where that is unknown
};

/// What the operations and computations of one program take, with all that they call: a loop its body and its
/// condition, a conditional the largest of each number among its branches, a fusion what its instructions
/// compute and what it moves as one kernel. A computation is looked at once, however often it is called.
class CostAnalysis {
  public:
    /// \param foreign  must live as long as this
    CostAnalysis(const Program& program, const ForeignCosts& foreign, LoopCounting loops)
        : program_{program}, foreign_{foreign}, loops_{loops}, computations_(program.computations.size()) {}

    /// \throws InputError where calls are nested too deeply
    Cost operation(const Operation& operation);
    Cost computation(ComputationId id);

  private:
    Cost control(const Operation& operation);

    const Program& program_;
    const ForeignCosts& foreign_;
    LoopCounting loops_;
    std::vector<std::optional<Cost>> computations_;
    int depth_{0};
};

}  // namespace dse::ir
