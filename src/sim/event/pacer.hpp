#pragma once

#include <cstdint>
#include <functional>
#include <utility>

namespace dse::sim::event {

/// Calls a function once per few thousand steps of a loop whose steps are too short for a call each.
class Pacer {
  public:
    static constexpr std::uint32_t interval = 4096;

    /// \param checkpoint  may throw; may be empty
    explicit Pacer(std::function<void()> checkpoint) : checkpoint_{std::move(checkpoint)} {}

    void step() {
        if (++steps_ % interval == 0 && checkpoint_) checkpoint_();
    }

  private:
    std::function<void()> checkpoint_;
    std::uint32_t steps_{0};
};

}  // namespace dse::sim::event
