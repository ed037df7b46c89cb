#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dse/space/space.hpp"

namespace dse::space {

/// Consecutive values of an axis: those with indices first … first + count − 1.
struct Run {
    std::uint64_t first{0};
    std::uint64_t count{1};

    friend bool operator==(const Run&, const Run&) = default;
};

/// A part of a grid: a run of values on each axis.
struct Box {
    std::vector<Run> axes;

    /// Number of grid points in it, including those that the space drops.
    [[nodiscard]] std::uint64_t count() const;
    [[nodiscard]] bool is_point() const;

    friend bool operator==(const Box&, const Box&) = default;
};

/// The whole grid. \pre the size of the grid is exact
Box whole(const Space& space);

/// Splits a box into the two halves of a run, or into its single values.
/// \param axis  an axis with more than one value
std::vector<Box> halves(const Box& box, std::size_t axis);
std::vector<Box> slices(const Box& box, std::size_t axis);

/// Determines whether a box can be dropped as a whole, without visiting its points.
class BoxFilter {
  public:
    /// \param space  must outlive this object
    explicit BoxFilter(const Space& space) : space_{space}, values_(space.width()) {}

    /// Whether a step of the space (a requirement, a derived value, a condition) that depends only on axes
    /// with a single value in the box drops all its points. For a box of one point: whether it is outside the
    /// space.
    bool drops(const Box& box);

    /// The step that drops the box. \return nothing if there is none
    std::optional<std::size_t> dropping_step(const Box& box);

  private:
    const Space& space_;
    std::vector<double> values_;
};

}  // namespace dse::space
