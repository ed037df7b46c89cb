#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

namespace dse::model {

/// A factor that was measured at some points of a space, and is interpolated between them: the mean of the
/// nearest points' logarithms, weighted by the inverse square of their distance (Shepard). Coordinates are
/// logarithms of sizes. Exact at the points; never outside the range of its neighbours.
template <std::size_t dimensions>
class FactorMap {
  public:
    using Point = std::array<double, dimensions>;

    /// \param factor  > 0
    void add(const Point& at, double factor);

    [[nodiscard]] bool empty() const { return points_.empty(); }
    [[nodiscard]] std::size_t size() const { return points_.size(); }
    [[nodiscard]] const Point& least() const { return least_; }
    [[nodiscard]] const Point& most() const { return most_; }

    /// Whether a point lies between the least and the most of each coordinate: the range that was measured.
    [[nodiscard]] bool covers(const Point& at) const;

    /// The factor there; outside the range that of its nearest edge. No allocation. \pre not empty
    [[nodiscard]] double operator()(const Point& at) const;

  private:
    static constexpr std::size_t neighbours = 6;

    struct Measured {
        Point at;
        double log_factor;
    };
    std::vector<Measured> points_;
    Point least_{};
    Point most_{};
};

/// log2 of batch, m, n, k.
using ProductFactors = FactorMap<4>;
/// log2 of bytes.
using StreamFactors = FactorMap<1>;

extern template class FactorMap<1>;
extern template class FactorMap<4>;

}  // namespace dse::model
