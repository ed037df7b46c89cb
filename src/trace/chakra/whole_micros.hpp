#pragma once

#include <cmath>
#include <cstdint>

namespace dse::trace::chakra {

/// Converts durations to the standard's integer microseconds. Rounding errors are carried over along a
/// stream, so that a thousand kernels of 0.4 µs take 400 µs rather than nothing.
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
