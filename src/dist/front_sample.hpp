#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dse::dist {

/// The non-dominated costs seen so far, for a progress line: bounded, so a front that outgrows the bound is
/// reported as large as the bound.
class FrontSample {
  public:
    /// \param bound  points kept
    explicit FrontSample(std::size_t bound = 1000) : bound_{bound} {}

    /// \param costs  to be minimised; always of the same number
    /// \return whether the point belongs to the front; one with a NaN, or equal to another, does not
    bool admit(std::span<const double> costs);

    [[nodiscard]] std::size_t size() const { return front_.size(); }

  private:
    std::size_t bound_;
    std::vector<std::vector<double>> front_;
};

}  // namespace dse::dist
