#pragma once

#include <cmath>
#include <cstdint>

namespace dse::trace::chakra {

/// Durations in whole microseconds, as the standard has them. Each carries on what the ones before it on the
/// stream lost or gained by rounding, so that a thousand kernels of 0.4 µs take 400 µs and not none.
class WholeMicros {
  public:
    /// \param seconds  >= 0
    std::uint64_t next(double seconds) {
        elapsed_ += seconds * 1e6;
        const double reached = std::floor(elapsed_ + 0.5);
        const double micros = reached - given_;
        given_ = reached;
        return static_cast<std::uint64_t>(micros);
    }

  private:
    double elapsed_{0};
    double given_{0};
};

}  // namespace dse::trace::chakra
