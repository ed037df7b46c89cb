#pragma once

#include <cstddef>
#include <vector>

#include "dse/graph/serving_engine.hpp"
#include "dse/serving/ticks.hpp"

namespace dse::serving {

/// Which replicas of a deployment run: the first `least_replicas` always, others as the load asks for them.
/// One more starts when a request comes and those that run or start have `start_load` unanswered requests
/// each; it is sent requests `start_time` later. One stops that has had nothing to do for `stop_after`. The
/// rules of a target of requests under way with a window before it scales down (Knative's and Kubernetes'
/// autoscalers).
class RunningReplicas {
  public:
    RunningReplicas(const graph::ServingEngine& engine, std::size_t replicas);

    /// Whether any starts or stops.
    [[nodiscard]] bool change() const { return least_ < states_.size(); }
    /// \param loads  of each replica, requests that are not yet answered
    /// \param idle_since  of each replica, the end of its last step
    void adjust(Ticks now, const std::vector<std::size_t>& loads, const std::vector<Ticks>& idle_since);
    /// Whether it is sent requests.
    [[nodiscard]] bool runs(std::size_t replica, Ticks now) const {
        return states_[replica].runs_from <= now;
    }
    /// Share of the time of all replicas from 0 on in which they run or start.
    [[nodiscard]] double paid_share(Ticks end) const;

  private:
    struct State {
        Ticks started{never};    ///< never: it is off
        Ticks runs_from{never};  ///< that it is sent requests
    };
    void stop_idle(Ticks now, const std::vector<std::size_t>& loads, const std::vector<Ticks>& idle_since);
    void start_one(Ticks now, const std::vector<std::size_t>& loads);

    std::size_t least_;
    double start_load_;
    Ticks start_time_;
    Ticks stop_after_;
    std::vector<State> states_;
    std::size_t on_;
    Ticks paid_{0};  ///< by those that have stopped
};

}  // namespace dse::serving
