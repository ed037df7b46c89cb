#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace dse::eval {

/// Knots of a grid over non-negative integers: all up to 2^bits, then 2^bits per octave.
class Grid {
  public:
    explicit constexpr Grid(int bits) : bits_{bits} {}

    [[nodiscard]] constexpr std::int64_t knot(std::size_t index) const {
        const std::size_t octave = index >> bits_;
        if (octave <= 1) return static_cast<std::int64_t>(index);
        const std::size_t rest = index - ((octave - 1) << bits_);
        return static_cast<std::int64_t>(rest << (octave - 1));
    }
    /// Index of the last knot that is not larger than `value`.
    [[nodiscard]] constexpr std::size_t below(std::int64_t value) const {
        const auto number = static_cast<std::uint64_t>(value);
        const int wide = static_cast<int>(std::bit_width(number)) - bits_ - 1;
        const int shift = wide > 0 ? wide : 0;
        return (static_cast<std::size_t>(shift) << bits_) + static_cast<std::size_t>(number >> shift);
    }

  private:
    int bits_;
};

}  // namespace dse::eval
