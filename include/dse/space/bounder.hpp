#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dse/metrics/metrics.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/space/box.hpp"

namespace dse::space {

/// What is known of all points of a box beforehand.
struct Bounds {
    /// No point of the box has an answer: all lack memory, or lie outside of the models.
    bool infeasible{false};
    /// No point is better in a metric than it is here; NaN: nothing is known of it.
    metrics::Metrics best;
};

/// Bounds the answers of boxes. One object serves one thread; equal boxes have equal bounds, whatever came
/// before.
class Bounder {
  public:
    Bounder() = default;
    Bounder(const Bounder&) = delete;
    Bounder& operator=(const Bounder&) = delete;
    virtual ~Bounder() = default;

    /// Whether it bounds the metric in this direction at all.
    [[nodiscard]] virtual bool knows(const metrics::Objective& objective) const = 0;

    /// Whether nothing is known of a box with several values of this axis: such axes are split first.
    [[nodiscard]] virtual bool is_enumerated(std::size_t axis) const = 0;

    /// \param box  not dropped by the space (BoxFilter)
    virtual Bounds bounds(const Box& box) = 0;

    /// A point of the box, by the numbers of its values, that may come near to the bounds.
    [[nodiscard]] virtual std::vector<std::uint64_t> promising(const Box& box) const = 0;
};

}  // namespace dse::space
