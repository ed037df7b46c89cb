#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "dse/base/checkpoint.hpp"
#include "dse/base/error.hpp"
#include "dse/netsim/astra/system.hpp"
#include "dse/netsim/event_queue.hpp"

namespace dse::netsim {

/// Event queue of actions by tick; within a tick in the order of scheduling. Actions that a device schedules
/// for the same tick run together, at the position of the first one.
class AstraEvents {
  public:
    using Action = std::function<void()>;

    explicit AstraEvents(std::size_t devices) : of_device_(devices) {}

    [[nodiscard]] Ticks now() const { return now_; }
    /// \throws ModelError for a time beyond the range of ticks
    void at(Ticks time, Action action) {
        if (time < now_ || time > last_tick) refuse();
        queue_.push(time, std::move(action));
    }
    void at(Ticks time, std::size_t device, Action action) {
        std::deque<Action>& batch = of_device_[device][time];
        batch.push_back(std::move(action));
        if (batch.size() == 1) at(time, [this, device, time] { run_batch(device, time); });
    }
    /// Runs until no actions are left.
    void run() {
        while (!empty()) run_next();
    }
    [[nodiscard]] bool empty() const { return queue_.empty(); }
    /// \pre !empty()
    [[nodiscard]] Ticks next_time() const { return queue_.next_time(); }
    /// \pre !empty()
    void run_next() {
        checkpoint(steps_an_event);
        const auto next = queue_.pop();
        now_ = next.time;
        next.event();
    }

  private:
    /// 146 years in nanoseconds. Sums with such a time do not overflow before they are checked here.
    static constexpr Ticks last_tick = Ticks{1} << 62U;
    static constexpr std::uint64_t steps_an_event = 16;

    [[noreturn]] static void refuse() {
        throw ModelError("the clock does not reach so far: something takes too long");
    }
    void run_batch(std::size_t device, Ticks time) {
        std::deque<Action>& batch = of_device_[device][time];
        // Actions scheduled for this tick by an action of the batch are appended to the batch.
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const Action action = std::move(batch[i]);
            action();
        }
        of_device_[device].erase(time);
    }

    Ticks now_{0};
    EventQueue<Ticks, Action> queue_;
    std::vector<std::map<Ticks, std::deque<Action>>> of_device_;
};

}  // namespace dse::netsim
