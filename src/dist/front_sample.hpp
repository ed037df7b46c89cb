#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dse::dist {

/// The non-dominated costs seen so far, for a progress line. The size is bounded: a larger front is reported
/// as large as the bound.
class FrontSample {
  public:
    /// \param bound  largest number of points kept
    explicit FrontSample(std::size_t bound = 1000) : bound_{bound} {}

    /// \param costs  to be minimised; always the same number of them
    /// \return whether the point belongs to the front; points with a NaN, or equal to another, do not
    bool admit(std::span<const double> costs);

    [[nodiscard]] std::size_t size() const { return front_.size(); }

  private:
    std::size_t bound_;
    std::vector<std::vector<double>> front_;
};

}  // namespace dse::dist
