#pragma once

#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "dse/netsim/astra/system.hpp"

namespace dse::netsim {

/// Things to do by tick; at the same tick in the order in which they were asked for. What a device asks for
/// at one tick runs together, in the place of the first.
class AstraAgenda {
  public:
    using Deed = std::function<void()>;

    explicit AstraAgenda(std::size_t devices) : of_device_(devices) {}

    [[nodiscard]] Ticks now() const { return now_; }
    void at(Ticks time, Deed deed) { general_[time].push_back(std::move(deed)); }
    void at(Ticks time, std::size_t device, Deed deed) {
        std::deque<Deed>& batch = of_device_[device][time];
        batch.push_back(std::move(deed));
        if (batch.size() == 1) at(time, [this, device, time] { run_batch(device, time); });
    }
    /// Until nothing is left.
    void run() {
        while (!general_.empty()) {
            now_ = general_.begin()->first;
            std::deque<Deed>& deeds = general_.begin()->second;
            while (!deeds.empty()) {
                const Deed deed = std::move(deeds.front());
                deeds.pop_front();
                deed();
            }
            general_.erase(general_.begin());
        }
    }

  private:
    void run_batch(std::size_t device, Ticks time) {
        std::deque<Deed>& batch = of_device_[device][time];
        // What a deed adds for this tick runs with the batch, which stays open to the end.
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const Deed deed = batch[i];
            deed();
        }
        of_device_[device].erase(time);
    }

    Ticks now_{0};
    std::map<Ticks, std::deque<Deed>> general_;
    std::vector<std::map<Ticks, std::deque<Deed>>> of_device_;
};

}  // namespace dse::netsim
