#pragma once

#include <utility>

#include "dse/base/check.hpp"
#include "dse/dist/point_evaluator.hpp"
#include "dse/explore/campaign.hpp"

namespace dse::explore {

/// Evaluator for the farm: the sampler turns an index into a point, and the function a point into a record.
class FunctionEvaluator final : public dist::PointEvaluator {
  public:
    /// \param sampler  must outlive this object; nullptr if no indices are requested
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
