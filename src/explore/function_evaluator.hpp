#pragma once

#include <utility>

#include "dse/base/check.hpp"
#include "dse/dist/point_evaluator.hpp"
#include "dse/explore/campaign.hpp"

namespace dse::explore {

/// What the farm is handed: an index becomes a point by the sampler, and a record by the function.
class FunctionEvaluator final : public dist::PointEvaluator {
  public:
    /// \param sampler  outlives this; nullptr where nobody asks for indices
    FunctionEvaluator(const space::Sampler* sampler, Evaluate evaluate)
        : sampler_{sampler}, evaluate_{std::move(evaluate)} {}

    bool point(std::uint64_t index, space::Point& point) override {
        DSE_REQUIRE(sampler_ != nullptr);
        return sampler_->point(index, point);
    }

    void evaluate(const space::Point& point, Fidelity fidelity, space::Record& record) override {
        evaluate_(point, fidelity, record);
    }

  private:
    const space::Sampler* sampler_;
    Evaluate evaluate_;
};

}  // namespace dse::explore
