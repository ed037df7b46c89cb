#include "serving/zipf_draw.hpp"

#include <algorithm>
#include <cmath>

#include "dse/base/check.hpp"

namespace dse::serving {

ZipfDraw::ZipfDraw(std::int64_t count, double skew) {
    DSE_EXPECT(count > 0);
    sums_.reserve(static_cast<std::size_t>(count));
    double sum = 0.0;
    for (std::int64_t i = 1; i <= count; ++i) sums_.push_back(sum += std::pow(static_cast<double>(i), -skew));
    for (double& part : sums_) part /= sum;
}

std::uint32_t ZipfDraw::next(Random& random) const {
    const auto found = std::ranges::upper_bound(sums_, random.uniform());
    return static_cast<std::uint32_t>(std::min<std::ptrdiff_t>(found - sums_.begin(), std::ssize(sums_) - 1));
}

}  // namespace dse::serving
