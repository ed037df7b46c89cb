#include "dse/space/grid_cursor.hpp"

#include <algorithm>
#include <limits>

#include "dse/base/check.hpp"

namespace dse::space {

GridCursor::GridCursor(const Space& space, std::uint64_t first, std::uint64_t last)
    : space_{space}, id_{first}, last_{last}, values_(space.width()) {
    DSE_REQUIRE(space.grid_size().exact && last <= *space.grid_size().exact);
    const std::vector<Axis>& axes = space.axes();
    for (std::size_t i = 0; i < axes.size(); ++i) {
        digits_.push_back(first / space.stride(i) % axes[i].values.count());
    }
    // Steps that depend on no axis pass for all points or for none.
    if (!settle(0)) id_ = last_;
}

bool GridCursor::next(Point& point) {
    std::uint64_t visits = std::numeric_limits<std::uint64_t>::max();
    return next(point, visits);
}

bool GridCursor::next(Point& point, std::uint64_t& visits) {
    const std::vector<Axis>& axes = space_.axes();
    for (; id_ < last_ && visits > 0; --visits) {
        std::size_t axis = fresh_;
        while (axis < axes.size()) {
            values_[axis] = axes[axis].values[digits_[axis]];
            if (!settle(axis + 1)) break;
            ++axis;
        }
        if (axis < axes.size()) {
            skip(axis);
            continue;
        }
        point.id = id_;
        point.values.assign(values_.begin(), values_.end());
        if (axes.empty()) {
            id_ = last_;
        } else {
            skip(axes.size() - 1);
        }
        return true;
    }
    return false;
}

bool GridCursor::settle(std::size_t depth) {
    const std::span<const Step> steps = space_.steps_at(depth);
    return std::all_of(steps.begin(), steps.end(),
                       [&](const Step& step) { return space_.perform(step, values_); });
}

/// Advances to the next value of `axis`, carrying over to the next outer axis at its end.
void GridCursor::skip(std::size_t axis) {
    const std::uint64_t stride = space_.stride(axis);
    const std::uint64_t left = stride - id_ % stride;
    id_ = left >= last_ - id_ ? last_ : id_ + left;
    std::fill(digits_.begin() + static_cast<std::ptrdiff_t>(axis) + 1, digits_.end(), 0);
    while (++digits_[axis] == space_.axes()[axis].values.count()) {
        if (axis == 0) break;  // the end of the grid, and of the range
        digits_[axis--] = 0;
    }
    fresh_ = axis;
}

}  // namespace dse::space
