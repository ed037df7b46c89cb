#pragma once

#include <cstdint>
#include <vector>

#include "dse/graph/graph.hpp"

namespace dse::sim::fold {

/// Maps (region, stage program) pairs to slots that equal pairs share: a region without repeats is the same
/// in every program, one with repeats is the same in programs with equal counts.
class RegionTable {
  public:
    void reset(const graph::Graph& graph);

    [[nodiscard]] std::size_t slots() const { return depends_.size() * same_counts_.size(); }
    [[nodiscard]] std::size_t slot(graph::RegionId region, std::uint32_t program) const {
        return region.index() * same_counts_.size() + (depends_[region.index()] ? same_counts_[program] : 0);
    }
    /// Largest number of ports or outputs of any region.
    [[nodiscard]] std::size_t most_values() const { return most_values_; }

  private:
    std::vector<std::uint8_t> depends_;       // by region: whether it has a repeat
    std::vector<std::uint32_t> same_counts_;  // by program: the first program with equal counts
    std::size_t most_values_{0};
};

}  // namespace dse::sim::fold
