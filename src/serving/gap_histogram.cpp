#include "dse/serving/gap_histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "dse/base/check.hpp"

namespace dse::serving {
namespace {

constexpr int fine_bits = 8;
constexpr std::uint64_t fine = std::uint64_t{1} << fine_bits;

/// Below 512 ticks (0.5 ns) a bin is one tick wide.
std::size_t bin_of(Ticks gap) {
    const auto value = static_cast<std::uint64_t>(gap);
    const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - fine_bits - 1);
    return static_cast<std::size_t>((static_cast<std::uint64_t>(shift) << fine_bits) + (value >> shift));
}

/// The smallest gap of a bin.
Ticks bin_begin(std::size_t bin) {
    const std::uint64_t octave = bin >> fine_bits;
    if (octave <= 1) return static_cast<Ticks>(bin);
    const std::uint64_t shift = octave - 1;
    return static_cast<Ticks>((bin - (shift << fine_bits)) << shift);
}

}  // namespace

GapHistogram::GapHistogram(double tokens_a_step)
    : tokens_a_step_{tokens_a_step}, bins_(std::size_t{64} * fine, 0) {
    DSE_EXPECT(tokens_a_step >= 1.0);
}

void GapHistogram::place(Ticks gap, std::int64_t times) {
    if (tokens_a_step_ == 1.0) {
        bins_[bin_of(gap)] += times;
        return;
    }
    begun_ += static_cast<double>(times) / tokens_a_step_;
    const auto steps = static_cast<std::int64_t>(begun_);
    begun_ -= static_cast<double>(steps);
    bins_[bin_of(std::llround(static_cast<double>(gap) * tokens_a_step_))] += steps;
    bins_[bin_of(0)] += times - steps;
}

void GapHistogram::add(Ticks gap, std::int64_t times) {
    DSE_EXPECT(gap >= 0);
    place(gap, times);
    count_ += times;
    sum_ += to_seconds(gap) * static_cast<double>(times);
}

void GapHistogram::add_steps(Ticks first, Ticks growth, std::int64_t sequences, std::int64_t steps) {
    for (std::int64_t step = 0; step < steps;) {
        const Ticks gap = first + growth * step;
        const std::size_t bin = bin_of(gap);
        std::int64_t same = steps - step;
        if (growth > 0) same = std::min(same, (bin_begin(bin + 1) - gap + growth - 1) / growth);
        place(gap, same * sequences);
        step += same;
    }
    count_ += steps * sequences;
    const auto number = static_cast<double>(steps);
    const double mean = to_seconds(first) + to_seconds(growth) * (number - 1.0) / 2.0;
    sum_ += mean * number * static_cast<double>(sequences);
}

double GapHistogram::mean() const {
    return count_ > 0 ? sum_ / static_cast<double>(count_) : std::numeric_limits<double>::quiet_NaN();
}

double GapHistogram::percentile(double share) const {
    if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
    const auto rank = static_cast<std::int64_t>(std::floor(share * static_cast<double>(count_ - 1)));
    std::int64_t before = 0;
    std::size_t bin = 0;
    while (before + bins_[bin] <= rank) before += bins_[bin++];
    return 0.5 * (to_seconds(bin_begin(bin)) + to_seconds(bin_begin(bin + 1) - 1));
}

}  // namespace dse::serving
