#pragma once

#include <cstdint>
#include <vector>

#include "dse/space/point.hpp"
#include "dse/space/space.hpp"

namespace dse::space {

/// Walks over a range of grid ids and finds the points that are in the space. Steps that depend on outer axes
/// only are computed once for all points that share their values; if such a step drops them, all of these
/// points are skipped at once.
class GridCursor {
  public:
    /// \param space  must outlive the cursor; grid_size() must be exact
    /// \param first, last  ids first … last − 1, last <= size
    GridCursor(const Space& space, std::uint64_t first, std::uint64_t last);

    /// \returns false if there are no more points
    bool next(Point& point);
    /// Looks at so many combinations of values at most.
    /// \param visits  reduced by those that it looked at; 0 if it gave up
    bool next(Point& point, std::uint64_t& visits);

    /// The smallest id that has not been examined.
    [[nodiscard]] std::uint64_t position() const { return id_; }

  private:
    bool settle(std::size_t depth);
    void skip(std::size_t axis);

    const Space& space_;
    std::uint64_t id_;
    std::uint64_t last_;
    std::vector<std::uint64_t> digits_;
    std::vector<double> values_;
    std::size_t fresh_{0};  ///< first axis with a new value whose steps have not been done yet
};

}  // namespace dse::space
