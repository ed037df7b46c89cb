#pragma once

#include <cstdint>
#include <vector>

#include "explore/archive.hpp"

namespace dse::explore {

/// Sees whether a front still grows: whether its hypervolume has become larger by a thousandth within so many
/// points.
class Standstill {
  public:
    /// \param patience  in points; 0: never stands still
    explicit Standstill(std::uint64_t patience) : patience_{patience} {}

    /// Begins to count anew: another method has its turn.
    void restart(std::uint64_t told) { last_gain_ = told; }

    /// \param told  points told so far; may not fall from call to call
    void look_at(const Archive& archive, std::uint64_t told);

    /// An empty front does not stand still: what is feasible is still being looked for.
    [[nodiscard]] bool reached(std::uint64_t told) const {
        return patience_ > 0 && !front_.empty() && told - last_gain_ >= patience_;
    }

  private:
    std::uint64_t patience_;
    std::uint64_t last_gain_{0};
    std::vector<Solution> front_;  ///< as it was at the last gain
};

/// Hypervolume of fronts as people look at them: costs that are all positive by their logarithms, each
/// objective scaled to the range that the solutions of both have, reference 1.1.
/// \param of, with  not both empty
/// \return of `of`
double volume_of(const std::vector<Solution>& of, const std::vector<Solution>& with);

}  // namespace dse::explore
