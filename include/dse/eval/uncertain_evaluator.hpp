#pragma once

#include <memory>
#include <vector>

#include "dse/eval/simulator.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/sim/engine.hpp"
#include "dse/space/record.hpp"
#include "dse/study/binder.hpp"
#include "dse/study/sweep.hpp"

namespace dse::eval {

/// Answers points of a sweep with uncertain fields: the metrics are those of the fields as they are; beside
/// them stand statistics over draws, the same for all points (common random numbers), so that points are told
/// apart by what they are and not by their luck. One object serves one thread.
class UncertainEvaluator {
  public:
    /// \param asked  of the metrics; draws have no parts
    UncertainEvaluator(const study::Sweep& sweep, sim::Asked::For asked);
    ~UncertainEvaluator();

    /// As Evaluator::evaluate. A point that has no answer itself has no draws.
    void evaluate(const space::Point& point, space::Record& record);

    /// Of the point that was evaluated last, each metric of the sweep's draws: shape [metric][draw], NaN
    /// where a draw has no answer; draws that do not fit, or make no machine, have none.
    [[nodiscard]] const std::vector<std::vector<double>>& drawn() const { return answers_; }

    void stop_when(bool (*stopped)());

  private:
    void play_draws();
    void draw(std::size_t index);
    void sum_up(space::Record& record);

    const study::UncertainSpec& spec_;
    std::vector<std::size_t> slots_;  ///< of the uncertain fields, in the values of an extended point
    std::vector<double> base_;        ///< values of those that no axis sets
    study::Binder binder_;
    std::unique_ptr<Simulator> simulator_;
    sim::Asked::For asked_;
    std::vector<std::vector<double>> draws_;  ///< [draw][field]: values or factors
    std::vector<double metrics::Metrics::*> members_;
    space::Point point_;                        ///< extended
    std::vector<double> nominal_;               ///< of the uncertain fields
    std::vector<std::vector<double>> answers_;  ///< [metric][draw]
    std::size_t answered_{0};                   ///< draws
};

/// Mean, standard deviation, 10th, 50th and 90th percentile, and mean of the worst tenth (the largest where
/// small is good) of numbers; all NaN where there are none. Percentiles lie between two numbers as far as
/// their places say. \param values  are sorted
std::vector<double> statistics_of(std::vector<double>& values, metrics::Direction direction);

}  // namespace dse::eval
