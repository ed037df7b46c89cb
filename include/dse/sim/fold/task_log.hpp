#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/sim/fold/schedule_program.hpp"

namespace dse::sim::fold {

struct Jump;

/// The states in which a schedule's tasks were entered: when the stage's streams were free, and its inputs
/// there. Those that were left out follow from the period before them.
class TaskLog {
  public:
    /// \param most_inputs  of any task, its stage's streams included
    void reset(std::size_t stages, std::size_t most_inputs);

    /// The next task of a stage that is played; at last its finish.
    /// \param count  at most `most_inputs`
    void add(std::uint32_t stage, const double* times, std::size_t count) {
        double* const to = grow(stage);
        for (std::size_t i = 0; i < count; ++i) to[i] = times[i];
    }
    /// The same, with what a period adds to each time.
    void add(std::uint32_t stage, const double* times, const double* rates, std::size_t count);
    /// Sets what a period adds to the times of a stage's last tasks: to its streams by stream, and to
    /// everything else that they take the same.
    void grow_by(std::uint32_t stage, std::size_t tasks, std::span<const double> stream_rates, double others);
    /// \param position  of a task in the list of its stage, or behind the last one
    /// \param inputs    filled; as many as the task has
    void read(const SteadyRounds& steady, std::span<const Jump> jumps, std::uint32_t stage,
              std::size_t position, std::span<double> inputs) const;

  private:
    /// Makes room for one more task. \return where its times go
    double* grow(std::uint32_t stage) {
        std::vector<double>& log = times_[stage];
        const std::size_t first = used_[stage];
        used_[stage] += stride_;
        if (log.size() < used_[stage]) log.resize(2 * used_[stage]);
        return log.data() + first;
    }

    std::size_t stride_{0};
    std::vector<std::size_t> used_;           // by stage: numbers in times_
    std::vector<std::vector<double>> times_;  // by stage; surplus is spare memory
    std::vector<std::vector<double>> rates_;  // likewise, of as many tasks or fewer
};

}  // namespace dse::sim::fold
