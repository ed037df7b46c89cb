#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace dse::hardware {

/// Time of a kernel as the sum of what its parts would take (launch, arithmetic, bytes of memory, waves of
/// thread blocks, …), each with a weight of at least zero. Kernels of a family share weights; a family
/// without weights of its own has those of all kernels. Fitted by analysis/dse_analysis/cost_sums.py.
class CostSums {
  public:
    static constexpr std::size_t most_costs = 20;
    static constexpr int any_family = -1;

    void set(int family, std::vector<double> weights) { weights_[family] = std::move(weights); }

    /// Whether all families have weights for so many costs, those that are not listed included.
    [[nodiscard]] bool fit(std::size_t costs) const;
    [[nodiscard]] bool empty() const { return weights_.empty(); }
    /// Whether a family has weights of its own.
    [[nodiscard]] bool knows(int family) const { return weights_.contains(family); }
    /// \param costs  as many as there are weights [s]
    /// \returns the sum [s]; 0 if neither the family nor all kernels have weights
    [[nodiscard]] double operator()(int family, std::span<const double> costs) const;

  private:
    std::map<int, std::vector<double>> weights_;
};

}  // namespace dse::hardware
