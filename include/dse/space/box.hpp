#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dse/space/space.hpp"

namespace dse::space {

/// Neighbouring values of an axis: those with the numbers first … first + count − 1.
struct Run {
    std::uint64_t first{0};
    std::uint64_t count{1};

    friend bool operator==(const Run&, const Run&) = default;
};

/// A part of a grid: on each axis a run of its values.
struct Box {
    std::vector<Run> axes;

    /// Points of the grid in it, those included that the space drops.
    [[nodiscard]] std::uint64_t count() const;
    [[nodiscard]] bool is_point() const;

    friend bool operator==(const Box&, const Box&) = default;
};

/// All of a grid, whose size is exact.
Box whole(const Space& space);

/// The parts of a box, each with one of the two halves of a run, or with one of its values.
/// \param axis  with more than one value
std::vector<Box> halves(const Box& box, std::size_t axis);
std::vector<Box> slices(const Box& box, std::size_t axis);

/// Decides what can be decided of a box without looking at its points one by one.
class BoxFilter {
  public:
    /// \param space  outlives this
    explicit BoxFilter(const Space& space) : space_{space}, values_(space.width()) {}

    /// Whether some step of the space (a requirement, a derived value, a condition) that depends on no axis
    /// with several values in the box drops all its points. Of a box of one point: whether it is outside of
    /// the space.
    bool drops(const Box& box);

    /// The step that does. \return nothing where none does
    std::optional<std::size_t> dropping_step(const Box& box);

  private:
    const Space& space_;
    std::vector<double> values_;
};

}  // namespace dse::space
