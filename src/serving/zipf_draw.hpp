#pragma once

#include <cstdint>
#include <vector>

#include "serving/random.hpp"

namespace dse::serving {

/// Draws numbers from 0 by Zipf's law: the nth in proportion to n^-skew, counted from 1.
class ZipfDraw {
  public:
    /// \param count  of numbers, >= 1
    /// \param skew   0: all are equally likely
    ZipfDraw(std::int64_t count, double skew);
    std::uint32_t next(Random& random) const;

  private:
    std::vector<double> sums_;  ///< of probabilities up to each number
};

}  // namespace dse::serving
