#include "serving/running_replicas.hpp"

#include <algorithm>
#include <numeric>

namespace dse::serving {

RunningReplicas::RunningReplicas(const graph::ServingEngine& engine, std::size_t replicas)
    : least_{engine.least_replicas > 0 ? std::min(replicas, static_cast<std::size_t>(engine.least_replicas))
                                       : replicas},
      start_load_{engine.start_load},
      start_time_{to_ticks(engine.start_time.value())},
      stop_after_{to_ticks(engine.stop_after.value())},
      states_(replicas),
      on_{least_} {
    std::fill_n(states_.begin(), least_, State{0, 0});
}

void RunningReplicas::adjust(Ticks now, const std::vector<std::size_t>& loads,
                             const std::vector<Ticks>& idle_since) {
    stop_idle(now, loads, idle_since);
    start_one(now, loads);
}

void RunningReplicas::stop_idle(Ticks now, const std::vector<std::size_t>& loads,
                                const std::vector<Ticks>& idle_since) {
    for (std::size_t i = least_; i < states_.size(); ++i) {
        State& state = states_[i];
        if (state.runs_from > now || loads[i] > 0) continue;
        const Ticks stops = std::max(state.runs_from, idle_since[i]) + stop_after_;
        if (stops > now) continue;
        paid_ += stops - state.started;
        state = {};
        --on_;
    }
}

void RunningReplicas::start_one(Ticks now, const std::vector<std::size_t>& loads) {
    if (on_ == states_.size()) return;
    const std::size_t unanswered = std::accumulate(loads.begin(), loads.end(), std::size_t{0});
    if (static_cast<double>(unanswered) < start_load_ * static_cast<double>(on_)) return;
    const auto off = std::ranges::find(states_, never, &State::started);
    *off = {now, now + start_time_};
    ++on_;
}

double RunningReplicas::paid_share(Ticks end) const {
    if (!change() || end == 0) return 1.0;
    Ticks paid = paid_;
    for (const State& state : states_) {
        if (state.started < end) paid += end - state.started;
    }
    return to_seconds(paid) / (to_seconds(end) * static_cast<double>(states_.size()));
}

}  // namespace dse::serving
