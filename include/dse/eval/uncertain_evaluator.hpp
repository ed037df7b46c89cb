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

/// Evaluates points of a sweep with uncertain fields. The metrics are those of the nominal field values;
/// statistics over draws are added to them. All points use the same draws (common random numbers), so that
/// they differ by their configurations and not by chance. Use one object per thread.
class UncertainEvaluator {
  public:
    /// \param asked  what the nominal metrics include; draws never have parts
    UncertainEvaluator(const study::Sweep& sweep, sim::Asked::For asked);
    ~UncertainEvaluator();

    /// Like Evaluator::evaluate. A point without a result has no draws.
    void evaluate(const space::Point& point, space::Record& record);

    /// Results of the draws for the point that was evaluated last: shape [metric][draw]. NaN if a draw has no
    /// result because it does not fit into memory or is not a valid machine.
    [[nodiscard]] const std::vector<std::vector<double>>& drawn() const { return answers_; }

    void stop_when(bool (*stopped)());

  private:
    void play_draws();
    void draw(std::size_t index);
    void sum_up(space::Record& record);

    const study::UncertainSpec& spec_;
    std::vector<std::size_t> slots_;  ///< indices of the uncertain fields in the values of an extended point
    std::vector<double> base_;        ///< values of the uncertain fields that no axis sets
    study::Binder binder_;
    std::unique_ptr<Simulator> simulator_;
    sim::Asked::For asked_;
    std::vector<std::vector<double>> draws_;  ///< [draw][field]: values or factors
    std::vector<double metrics::Metrics::*> members_;
    space::Point point_;                        ///< extended by base_
    std::vector<double> nominal_;               ///< nominal values of the uncertain fields
    std::vector<std::vector<double>> answers_;  ///< [metric][draw]
    std::size_t answered_{0};                   ///< number of draws with a result
};

/// Mean, standard deviation, 10th, 50th and 90th percentile, and mean of the worst tenth (the largest values
/// if the metric is minimized); all NaN if there are no values. Percentiles are interpolated linearly.
/// \param values  are reordered
std::vector<double> statistics_of(std::vector<double>& values, metrics::Direction direction);

}  // namespace dse::eval
