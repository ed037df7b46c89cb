#pragma once

#include <cstdint>
#include <vector>

#include "explore/archive.hpp"

namespace dse::explore {

/// Detects whether a front still grows: whether its hypervolume has increased by a thousandth within a number
/// of points.
class Standstill {
  public:
    /// \param patience  in points; 0: never stands still
    explicit Standstill(std::uint64_t patience) : patience_{patience} {}

    /// Restarts the count, because another method takes over.
    void restart(std::uint64_t told) { last_gain_ = told; }

    /// \param told  number of points told so far; must not decrease from call to call
    void look_at(const Archive& archive, std::uint64_t told);

    /// An empty front does not stand still: the search for feasible points continues.
    [[nodiscard]] bool reached(std::uint64_t told) const {
        return patience_ > 0 && !front_.empty() && told - last_gain_ >= patience_;
    }

  private:
    std::uint64_t patience_;
    std::uint64_t last_gain_{0};
    std::vector<Solution> front_;  ///< at the last gain
};

/// Hypervolume of a front on a scale that suits visual comparison: logarithmic for costs that are all
/// positive, each objective scaled to the range of both sets of solutions, reference 1.1.
/// \param of, with  not both empty
/// \return the hypervolume of `of`
double volume_of(const std::vector<Solution>& of, const std::vector<Solution>& with);

}  // namespace dse::explore
