#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dse/metrics/metrics.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/space/box.hpp"

namespace dse::space {

/// Bounds on the results of all points of a box.
struct Bounds {
    /// Whether no point of the box has a result: all run out of memory or are outside the models' validity.
    bool infeasible{false};
    /// No point is better in any metric than this; NaN: unknown.
    metrics::Metrics best;
};

/// Computes bounds of boxes. Used by one thread; the bounds of a box do not depend on earlier calls.
class Bounder {
  public:
    Bounder() = default;
    Bounder(const Bounder&) = delete;
    Bounder& operator=(const Bounder&) = delete;
    virtual ~Bounder() = default;

    /// Whether it can bound the metric in this direction.
    [[nodiscard]] virtual bool knows(const metrics::Objective& objective) const = 0;

    /// Whether there are no bounds for boxes with several values of this axis; such axes are split first.
    [[nodiscard]] virtual bool is_enumerated(std::size_t axis) const = 0;

    /// \param box  a box that the space does not drop (BoxFilter)
    virtual Bounds bounds(const Box& box) = 0;

    /// A point of the box, given by the indices of its values, that may be close to the bounds.
    [[nodiscard]] virtual std::vector<std::uint64_t> promising(const Box& box) const = 0;
};

}  // namespace dse::space
