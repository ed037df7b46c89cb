#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace dse::dist {

/// Polling instead of blocking, which under MPI burns a core: sleeps of 20 µs that double up to 1 ms.
class Backoff {
  public:
    void reset() { pause_ = shortest; }

    void wait() {
        std::this_thread::sleep_for(pause_);
        pause_ = std::min(2 * pause_, longest);
    }

  private:
    static constexpr std::chrono::microseconds shortest{20};
    static constexpr std::chrono::microseconds longest{1000};
    std::chrono::microseconds pause_{shortest};
};

}  // namespace dse::dist
