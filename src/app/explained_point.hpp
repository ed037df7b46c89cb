#pragma once

#include <memory>
#include <string>

#include "app/json_output.hpp"
#include "app/why_report.hpp"
#include "dse/eval/evaluator.hpp"
#include "dse/eval/why/played_point.hpp"

namespace dse::app {

/// Whether to evaluate the point again with each parameter of the machine improved.
enum class WhatIf : std::uint8_t { evaluated, left_out };

/// One point in full: its record, an explanation of its time, and the benefit of a better machine. The
/// content of `dse point` and of Python's Sweep.point().
class ExplainedPoint {
  public:
    /// \param sweep  must outlive this object
    /// \param point  a point of its space
    ExplainedPoint(const study::Sweep& sweep, const space::Point& point, WhatIf what_if);

    [[nodiscard]] const eval::Explanation& explanation() const { return explanation_; }
    /// Its timelines; nullptr if the point was not simulated to the end, or if no engine simulates its nodes.
    [[nodiscard]] const eval::PlayedPoint* played() const { return played_.get(); }
    /// Why a point that has a result could not be simulated node by node; otherwise empty.
    [[nodiscard]] const std::string& why_not_played() const { return why_not_played_; }
    [[nodiscard]] const Why& why() const { return why_; }

    [[nodiscard]] Json json() const;

  private:
    const study::Sweep& sweep_;
    eval::Evaluator evaluator_;  ///< owns what the explanation points to
    eval::Explanation explanation_;
    std::unique_ptr<eval::PlayedPoint> played_;
    std::string why_not_played_;
    Why why_;
};

}  // namespace dse::app
