#pragma once

#include <memory>

#include "dse/dist/point_evaluator.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/eval/evaluator.hpp"
#include "dse/space/sampler.hpp"

namespace dse::app {

/// What the farm is handed: an index becomes a point by the sampler, and a record by the evaluator.
class SweepEvaluator final : public dist::PointEvaluator {
  public:
    /// The arguments outlive this.
    SweepEvaluator(const study::Sweep& sweep, const space::Sampler& sampler)
        : sampler_{sampler}, evaluator_{sweep} {
        evaluator_.stop_when(dist::stop_requested);
    }

    std::optional<space::Record> evaluate(std::uint64_t index) override;
    std::optional<space::Point> point(std::uint64_t index) override;

  private:
    const space::Sampler& sampler_;
    eval::Evaluator evaluator_;
    space::Point point_;
};

}  // namespace dse::app
