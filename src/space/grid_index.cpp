#include "dse/space/grid_index.hpp"

#include <algorithm>

#include "dse/base/check.hpp"

namespace dse::space {
namespace {

/// \return count() where no value of the axis is the one that is looked for
std::uint64_t place_of(const AxisValues& values, double value) {
    if (!values.is_sequence()) {
        std::uint64_t place = 0;
        while (place < values.count() && values[place] != value) ++place;
        return place;
    }
    std::uint64_t low = 0;
    std::uint64_t high = values.count();
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (values[middle] < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < values.count() && values[low] == value ? low : values.count();
}

/// Where the axis is idle and has another value than any of its own, the one that stands in for it.
std::uint64_t idle_place(const Space& space, std::size_t axis) {
    const auto& conditions = space.conditions();
    const auto own = std::find_if(conditions.begin(), conditions.end(),
                                  [&](const Condition& condition) { return condition.axis == axis; });
    DSE_REQUIRE(own != conditions.end());
    return place_of(space.axes()[axis].values, own->stand_in);
}

}  // namespace

std::optional<std::uint64_t> grid_index(const Space& space, std::span<const double> values) {
    DSE_EXPECT(values.size() == space.width());
    if (!space.is_discrete() || !space.grid_size().exact) return std::nullopt;
    std::uint64_t id = 0;
    for (std::size_t axis = 0; axis < space.axes().size(); ++axis) {
        const AxisValues& own = space.axes()[axis].values;
        std::uint64_t place = place_of(own, values[axis]);
        if (place == own.count()) place = idle_place(space, axis);
        id += place * space.stride(axis);
    }
    return id;
}

}  // namespace dse::space
