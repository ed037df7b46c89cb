#pragma once

#include <cstdint>
#include <vector>

#include "dse/sim/fold/region_operators.hpp"
#include "dse/sim/fold/schedule_program.hpp"

namespace dse::sim::fold {

/// The operator of a task, or of a pair of tasks, stored so that it can be applied.
struct TaskOperator {
    std::uint16_t inputs{0};     ///< streams, boundary value (two for a pair), saved values
    std::uint16_t outputs{0};    ///< likewise
    std::uint16_t saved_in{0};   ///< number of saved values among the inputs
    std::uint16_t saved_out{0};  ///< number of saved values among the outputs
    std::size_t columns{0};      ///< offset in the pool
    std::uint64_t streams{
        0};  ///< streams that it uses, as bits; it hands the others on and reads them for nothing
};

/// out = operator(in).
/// \param columns  the operator, by columns of padded(outputs) numbers
/// \param out      padded(outputs) numbers; may be the same as `in`
void apply(const double* columns, std::size_t inputs, std::size_t outputs, const double* in, double* out);

/// The operators of the tasks of all stages, by stage and variant.
class TaskOperators {
  public:
    /// Builds the operators that the program uses. The arguments must outlive their use.
    void reset(const graph::Graph& graph, const ScheduleProgram& program, RegionOperators& regions);

    [[nodiscard]] const TaskOperator& of(std::uint32_t stage, std::size_t variant) const {
        return operators_[first_of_stage_[stage] + variant];
    }

  private:
    std::vector<TaskOperator> operators_;        // by stage program and variant
    std::vector<std::uint8_t> built_;            // likewise
    std::vector<std::uint32_t> first_of_stage_;  // by stage
};

}  // namespace dse::sim::fold
