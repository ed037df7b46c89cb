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

/// Things to do by tick; at the same tick in the order in which they were asked for. What a device asks for
/// at one tick runs together, in the place of the first.
class AstraEvents {
  public:
    using Action = std::function<void()>;

    explicit AstraEvents(std::size_t devices) : of_device_(devices) {}

    [[nodiscard]] Ticks now() const { return now_; }
    /// \throws ModelError for a time beyond what ticks count
    void at(Ticks time, Action action) {
        if (time < now_ || time > last_tick) refuse();
        queue_.push(time, std::move(action));
    }
    void at(Ticks time, std::size_t device, Action action) {
        std::deque<Action>& batch = of_device_[device][time];
        batch.push_back(std::move(action));
        if (batch.size() == 1) at(time, [this, device, time] { run_batch(device, time); });
    }
    /// Until nothing is left.
    void run() {
        while (!queue_.empty()) {
            checkpoint(steps_an_event);
            const auto next = queue_.pop();
            now_ = next.time;
            next.event();
        }
    }

  private:
    /// 146 years of nanoseconds. What is added to such a time before it comes here does not overflow.
    static constexpr Ticks last_tick = Ticks{1} << 62U;
    static constexpr std::uint64_t steps_an_event = 16;

    [[noreturn]] static void refuse() {
        throw ModelError("the clock does not reach so far: something takes too long");
    }
    void run_batch(std::size_t device, Ticks time) {
        std::deque<Action>& batch = of_device_[device][time];
        // What an action adds for this tick runs with the batch, which stays open to the end.
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
