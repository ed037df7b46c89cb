#pragma once

#include <optional>
#include <vector>

#include "dse/eval/evaluator.hpp"
#include "dse/sim/critical_path.hpp"
#include "dse/sim/dependencies.hpp"

namespace dse::eval {

/// The timelines of all stages of a point, node by node. Times are in the unit of the durations; scale()
/// converts them to seconds per iteration.
class PlayedPoint {
  public:
    /// \param explanation  explanation of a point with a result and its parts; its graph and durations must
    /// outlive this object
    /// \throws ModelError if engine `folded` cannot simulate the point, or it has too many nodes to list
    explicit PlayedPoint(const Explanation& explanation);
    PlayedPoint(const PlayedPoint&) = delete;
    PlayedPoint& operator=(const PlayedPoint&) = delete;

    [[nodiscard]] const graph::Graph& graph() const { return graph_; }
    [[nodiscard]] const std::vector<sim::Timeline>& timelines() const { return timelines_; }
    [[nodiscard]] const sim::Timeline& busiest() const { return timelines_[busiest_stage_]; }
    [[nodiscard]] std::uint32_t busiest_stage() const { return busiest_stage_; }  ///< sim::PathParts
    [[nodiscard]] std::uint32_t last_stage() const { return last_stage_; }        ///< sim::Result
    [[nodiscard]] const sim::Dependencies& dependencies() const { return *dependencies_; }
    /// The critical path from the start to the barrier, in chronological order.
    [[nodiscard]] const std::vector<sim::PathStep>& path() const { return path_; }

    /// The interval that is evaluated: a whole training step, or the last steps of a decode loop, when it has
    /// become steady.
    [[nodiscard]] const sim::Window& window() const { return window_; }
    [[nodiscard]] double steps() const { return steps_; }  ///< number of iterations in the window
    /// Seconds per iteration for one unit of time within the window.
    [[nodiscard]] double scale() const { return unit_ / steps_; }
    [[nodiscard]] double unit() const { return unit_; }  ///< seconds per unit of the timelines' times

  private:
    const graph::Graph& graph_;
    double unit_;
    double steps_{1};
    std::uint32_t busiest_stage_;
    std::uint32_t last_stage_;
    std::vector<sim::Timeline> timelines_;
    std::optional<sim::Dependencies> dependencies_;
    std::vector<sim::PathStep> path_;
    sim::Window window_;
};

}  // namespace dse::eval
