#pragma once

#include <cstdint>

#include "dse/netsim/astra/plan.hpp"

namespace dse::netsim {

/// The messages of one device under halving and doubling, one after the other: how far the partner is, and
/// how much goes there. All-reduce first halves on the way out, then doubles on the way back.
class HalvingDoublingMessages {
  public:
    /// \param phase  nodes a power of two; all-reduce, reduce-scatter or all-gather
    explicit HalvingDoublingMessages(const AstraPhase& phase);

    [[nodiscard]] std::int64_t distance() const { return distance_; }
    [[nodiscard]] std::int64_t bytes() const { return bytes_; }
    void advance();

    /// The partner of the device at `index`: clockwise from even blocks of `distance`, back from odd ones.
    [[nodiscard]] std::int64_t partner(std::int64_t index) const;
    /// Messages in all.
    [[nodiscard]] std::int64_t count() const { return count_; }
    /// Those of the way out, of which all but the first are reduced.
    [[nodiscard]] std::int64_t levels() const { return levels_; }

  private:
    bool reverses_;
    bool outward_;
    std::int64_t nodes_;
    std::int64_t levels_;
    std::int64_t count_;
    std::int64_t distance_;
    std::int64_t bytes_;
};

}  // namespace dse::netsim
