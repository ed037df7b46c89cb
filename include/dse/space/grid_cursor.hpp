#pragma once

#include <cstdint>
#include <vector>

#include "dse/space/point.hpp"
#include "dse/space/space.hpp"

namespace dse::space {

/// Walks over a range of a grid's ids and finds the points that are in the space. What an outer axis settles
/// is computed once for all points that share it; where it settles that none of them is in the space, all of
/// them are skipped at once.
class GridCursor {
  public:
    /// \param space  outlives the cursor; grid_size() must be exact
    /// \param first, last  ids first … last − 1, last <= size
    GridCursor(const Space& space, std::uint64_t first, std::uint64_t last);

    /// \returns false when there are no more points
    bool next(Point& point);

    /// The smallest id that has not been looked at.
    [[nodiscard]] std::uint64_t position() const { return id_; }

  private:
    bool settle(std::size_t depth);
    void skip(std::size_t axis);

    const Space& space_;
    std::uint64_t id_;
    std::uint64_t last_;
    std::vector<std::uint64_t> digits_;
    std::vector<double> values_;
    std::size_t fresh_{0};  ///< axes from here on have new values, which are not settled yet
};

}  // namespace dse::space
