#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dse/sim/fold/region_operators.hpp"

namespace dse::sim::fold {

/// A task's operator, ready for being applied.
struct TaskOperator {
    bool built{false};
    std::uint16_t inputs{0};   ///< streams, boundary, saved values
    std::uint16_t outputs{0};  ///< likewise
    std::size_t columns{0};    ///< offset in the pool
};

/// out = operator(in).
/// \param columns  the operator by columns of padded(outputs) numbers
/// \param out      padded(outputs) numbers; may be `in`
void apply(const double* columns, std::size_t inputs, std::size_t outputs, const double* in, double* out);

/// The operators of the tasks of all stages, looked up by what the task is.
class TaskOperators {
  public:
    void reset(const workload::Graph& graph, RegionOperators& regions);

    const TaskOperator& of(std::uint32_t program, const workload::Task& task) {
        const bool peeled = workload::is_peeled(task, graph_->schedule);
        const std::size_t variant = 2 * static_cast<std::size_t>(task.pass) + (peeled ? 1 : 0);
        TaskOperator& result = operators_[(program * chunks_ + task.chunk) * variants + variant];
        if (!result.built) build(program, task, result);
        return result;
    }

  private:
    static constexpr std::size_t variants = 6;
    void build(std::uint32_t program, const workload::Task& task, TaskOperator& result);

    const workload::Graph* graph_{nullptr};
    RegionOperators* regions_{nullptr};
    std::size_t chunks_{0};
    std::vector<TaskOperator> operators_;
};

}  // namespace dse::sim::fold
