#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "dse/graph/serving_engine.hpp"
#include "dse/serving/step_time.hpp"

namespace dse::serving {

/// What the host of an engine does for a step. One that works ahead prepares a step and launches its kernels,
/// one after the other, while the devices are busy with the step before. Of one that does not, the devices'
/// time contains the launches.
class HostWork {
  public:
    explicit HostWork(const graph::ServingEngine& engine)
        : time_{to_ticks(engine.host_time.value())},
          time_sequence_{to_ticks(engine.host_time_sequence.value())},
          gap_{to_ticks(engine.step_gap.value())},
          works_ahead_{engine.asynchronous} {}

    /// The host's work for so many steps at once.
    [[nodiscard]] HostWork of_steps(double steps) const {
        HostWork work = *this;
        for (Ticks* ticks : {&work.time_, &work.time_sequence_, &work.gap_})
            *ticks = std::llround(static_cast<double>(*ticks) * steps);
        return work;
    }

    [[nodiscard]] bool works_ahead() const { return works_ahead_; }
    /// Time to prepare a step. \param sequences  of the rank that decodes most
    [[nodiscard]] Ticks preparation(std::int64_t sequences) const {
        return time_ + time_sequence_ * sequences;
    }
    /// How long the devices wait before a step begins on them.
    [[nodiscard]] Ticks before_devices(Ticks preparation) const {
        return gap_ + (works_ahead_ ? 0 : preparation);
    }
    /// Duration of a step from the end of the one before.
    /// \param device_time  from the end of before_devices() until the devices are done
    [[nodiscard]] Ticks step(Ticks preparation, Ticks device_time, StepTime& step_time,
                             std::span<const Batch> batches) const {
        const Ticks devices = before_devices(preparation) + device_time;
        return works_ahead_ ? std::max(preparation + step_time.launches(batches), devices) : devices;
    }

  private:
    Ticks time_;
    Ticks time_sequence_;
    Ticks gap_;
    bool works_ahead_;
};

}  // namespace dse::serving
