#include "dse/space/grid_index.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "dse/space/space_text.hpp"
#include "tiny_sweep.hpp"

namespace dse::space {
namespace {

TEST(GridIndex, IsTheIdThatThePointHasInTheGrid) {
    const auto space = testing::compile(
        "axes:\n  tp: [4, 1, 2]\n  schedule: [1f1b, interleaved]\n"
        "  narrow: {when: schedule == 'interleaved', values: [2, 5]}\n"
        "  share: {from: 0.1, to: 0.7, step: 0.2}\nrequire: [share > 0]\n");
    int points = 0;
    for (std::uint64_t id = 0; id < 48; ++id) {
        Point point;
        if (!space->point(id, point)) continue;
        ++points;
        EXPECT_EQ(grid_index(*space, point.values), id);
    }
    EXPECT_EQ(points, 3 * (1 + 2) * 4);
}

TEST(GridIndex, OfALongAxisIsQuicklyFound) {
    const auto space = parse_space("axes: {a: {from: 1, to: 1000000000}, b: [1, 2]}");
    EXPECT_EQ(grid_index(*space, std::vector<double>{987654321.0, 2.0}), 2ULL * 987654320 + 1);
}

TEST(GridIndex, PlacesOnAnAxisAreOfItsOwnValuesOnly) {
    EXPECT_EQ(place_on(AxisValues::list({4.0, 1.0, 2.0}), 2.0), 2U);
    EXPECT_FALSE(place_on(AxisValues::list({4.0, 1.0, 2.0}), 3.0));
    EXPECT_FALSE(place_on(AxisValues::sequence(0.0, 0.5, 5), 0.4));
    EXPECT_EQ(place_on(AxisValues::sequence(0.0, 0.5, 5), 2.0), 4U);
    EXPECT_FALSE(place_on(AxisValues::sequence(0.0, 0.5, 5), std::numeric_limits<double>::quiet_NaN()));
}

TEST(GridIndex, IsNoneWithoutAGrid) {
    const auto space = parse_space("axes: {a: {from: 0.0, to: 1.0}}\nsearch: {method: random, budget: 3}");
    EXPECT_FALSE(grid_index(*space, std::vector<double>{0.5}));
}

}  // namespace
}  // namespace dse::space
