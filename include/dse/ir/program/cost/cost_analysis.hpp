#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dse/ir/program/cost/cost.hpp"
#include "dse/ir/program/cost/foreign_costs.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// How often the body of a loop is counted.
enum class LoopCounting : std::uint8_t {
    once,          ///< XLA's rule
    by_trip_count  ///< number of iterations; once if unknown
};

/// Costs of the operations and computations of a program, including everything that they call. A loop counts
/// its body and its condition; a conditional the maximum of each number over its branches; a fusion the
/// computation of its instructions and the traffic of a single kernel. Each computation is analysed once,
/// however often it is called.
class CostAnalysis {
  public:
    /// \param foreign  must outlive this object
    CostAnalysis(const Program& program, const ForeignCosts& foreign, LoopCounting loops)
        : program_{program}, foreign_{foreign}, loops_{loops}, computations_(program.computations.size()) {}

    /// \throws InputError if calls are nested too deeply
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
