#include "dse/space/grid_index.hpp"

#include <algorithm>

#include "dse/base/check.hpp"

namespace dse::space {
namespace {

/// Index of the first value of a sequence that is not below `value`.
std::uint64_t first_from(const AxisValues& values, double value) {
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
    return low;
}

/// Index of the value that stands in for an idle axis whose idle value is not one of its own values.
std::uint64_t idle_place(const Space& space, std::size_t axis) {
    const auto& conditions = space.conditions();
    const auto own = std::find_if(conditions.begin(), conditions.end(),
                                  [&](const Condition& condition) { return condition.axis == axis; });
    DSE_REQUIRE(own != conditions.end());
    const auto place = place_on(space.axes()[axis].values, own->stand_in);
    DSE_REQUIRE(place.has_value());
    return *place;
}

}  // namespace

std::optional<std::uint64_t> place_on(const AxisValues& values, double value) {
    std::uint64_t place = 0;
    if (values.is_sequence()) {
        place = first_from(values, value);
    } else {
        while (place < values.count() && values[place] != value) ++place;
    }
    if (place < values.count() && values[place] == value) return place;
    return std::nullopt;
}

std::optional<std::uint64_t> grid_index(const Space& space, std::span<const double> values) {
    DSE_EXPECT(values.size() == space.width());
    if (!space.is_discrete() || !space.grid_size().exact) return std::nullopt;
    std::uint64_t id = 0;
    for (std::size_t axis = 0; axis < space.axes().size(); ++axis) {
        const auto place = place_on(space.axes()[axis].values, values[axis]);
        id += (place ? *place : idle_place(space, axis)) * space.stride(axis);
    }
    return id;
}

}  // namespace dse::space
