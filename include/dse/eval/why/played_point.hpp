#pragma once

#include <optional>
#include <vector>

#include "dse/eval/evaluator.hpp"
#include "dse/sim/critical_path.hpp"
#include "dse/sim/dependencies.hpp"

namespace dse::eval {

/// A point played node by node on all stages, for who asks what happened when. Times are in the durations'
/// own unit until they are multiplied by scale().
class PlayedPoint {
  public:
    /// \param explanation  of a point with a result and its parts; its graph and durations must outlive this
    /// \throws ModelError where engine `folded` cannot play it, or its nodes are too many for memory
    explicit PlayedPoint(const Explanation& explanation);
    PlayedPoint(const PlayedPoint&) = delete;
    PlayedPoint& operator=(const PlayedPoint&) = delete;

    [[nodiscard]] const graph::Graph& graph() const { return graph_; }
    [[nodiscard]] const std::vector<sim::Timeline>& timelines() const { return timelines_; }
    [[nodiscard]] const sim::Timeline& busiest() const { return timelines_[busiest_stage_]; }
    [[nodiscard]] std::uint32_t busiest_stage() const { return busiest_stage_; }  ///< sim::PathParts
    [[nodiscard]] std::uint32_t last_stage() const { return last_stage_; }        ///< sim::Result
    [[nodiscard]] const sim::Dependencies& dependencies() const { return *dependencies_; }
    /// From the first moment to the barrier, in the order of time.
    [[nodiscard]] const std::vector<sim::PathStep>& path() const { return path_; }

    /// What one iteration is measured over: all of a training step; of decoding, the last steps of those that
    /// were played, once they are steady.
    [[nodiscard]] const sim::Window& window() const { return window_; }
    [[nodiscard]] double steps() const { return steps_; }  ///< iterations in the window
    /// Seconds of one iteration for 1 of the window's time.
    [[nodiscard]] double scale() const { return unit_ / steps_; }
    [[nodiscard]] double unit() const { return unit_; }  ///< seconds for 1 of the timelines' time

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
