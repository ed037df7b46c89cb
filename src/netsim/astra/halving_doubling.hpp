#pragma once

#include <cstdint>

#include "dse/netsim/astra/plan.hpp"

namespace dse::netsim {

/// The messages of one device under halving and doubling, one after the other: the partner's distance and the
/// number of bytes. All-reduce first halves with growing distance, then doubles with shrinking distance.
class HalvingDoublingMessages {
  public:
    /// \param phase  its number of nodes is a power of two; all-reduce, reduce-scatter or all-gather
    explicit HalvingDoublingMessages(const AstraPhase& phase);

    [[nodiscard]] std::int64_t distance() const { return distance_; }
    [[nodiscard]] std::int64_t bytes() const { return bytes_; }
    void advance();

    /// Partner of the device at `index`: clockwise from even blocks of `distance` devices, counterclockwise
    /// from odd ones.
    [[nodiscard]] std::int64_t partner(std::int64_t index) const;
    /// Total number of messages.
    [[nodiscard]] std::int64_t count() const { return count_; }
    /// Number of messages in the outward half; all but the first of them are reduced.
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
