#pragma once

#include <memory>
#include <string>

#include "app/json_output.hpp"
#include "app/why_report.hpp"
#include "dse/eval/evaluator.hpp"
#include "dse/eval/why/played_point.hpp"

namespace dse::app {

/// Whether the point is evaluated again with each number of the machine better.
enum class WhatIf : std::uint8_t { evaluated, left_out };

/// One point in full: its record, why it takes as long as it does, what a better machine would buy. What
/// `dse point` and Python's Sweep.point() tell.
class ExplainedPoint {
  public:
    /// \param sweep  must outlive this
    /// \param point  in its space
    ExplainedPoint(const study::Sweep& sweep, const space::Point& point, WhatIf what_if);

    [[nodiscard]] const eval::Explanation& explanation() const { return explanation_; }
    /// Moment by moment; null where the point was not played to the end, or no engine plays its nodes.
    [[nodiscard]] const eval::PlayedPoint* played() const { return played_.get(); }
    /// Why a point that has a result could not be played node by node; else empty.
    [[nodiscard]] const std::string& why_not_played() const { return why_not_played_; }
    [[nodiscard]] const Why& why() const { return why_; }

    [[nodiscard]] Json json() const;

  private:
    const study::Sweep& sweep_;
    eval::Evaluator evaluator_;  ///< holds what the explanation points to
    eval::Explanation explanation_;
    std::unique_ptr<eval::PlayedPoint> played_;
    std::string why_not_played_;
    Why why_;
};

}  // namespace dse::app
