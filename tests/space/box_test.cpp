#include "dse/space/box.hpp"

#include <gtest/gtest.h>

#include "dse/space/space_text.hpp"
#include "dse/space/tiling.hpp"

namespace dse::space {
namespace {

const std::string three_axes =
    "name: test\naxes:\n  a: [1, 2, 4]\n  b: [1, 2, 3]\n  c: [5, 7]\n"
    "derive: {d: 12 / (a * b)}\nrequire: [b < 3, a + c != 9]\n";

/// Of every box that a grid has.
template <class Visit>
void each_box(const Space& space, std::size_t axis, Box& box, const Visit& visit) {
    if (axis == space.axes().size()) return visit(box);
    const std::uint64_t count = space.axes()[axis].values.count();
    for (std::uint64_t first = 0; first < count; ++first) {
        for (std::uint64_t length = 1; first + length <= count; ++length) {
            box.axes[axis] = {first, length};
            each_box(space, axis + 1, box, visit);
        }
    }
}

std::uint64_t points_in(const Space& space, const Box& box) {
    std::uint64_t points = 0;
    Point point;
    for (std::uint64_t id = 0; id < *space.grid_size().exact; ++id) {
        if (!space.point(id, point)) continue;
        bool inside = true;
        for (std::size_t i = 0; i < box.axes.size(); ++i) {
            const std::uint64_t digit = id / space.stride(i) % space.axes()[i].values.count();
            inside = inside && digit >= box.axes[i].first && digit < box.axes[i].first + box.axes[i].count;
        }
        points += inside ? 1U : 0U;
    }
    return points;
}

TEST(BoxFilter, drops_no_box_that_has_a_point) {
    const auto space = parse_space(three_axes);
    BoxFilter filter{*space};
    Box box = whole(*space);
    std::uint64_t boxes = 0;
    std::uint64_t dropped = 0;
    each_box(*space, 0, box, [&](const Box& one) {
        const std::uint64_t points = points_in(*space, one);
        const bool drops = filter.drops(one);
        EXPECT_TRUE(!drops || points == 0U);
        EXPECT_TRUE(!one.is_point() || drops == (points == 0));
        ++boxes;
        dropped += drops ? 1U : 0U;
    });
    EXPECT_EQ(boxes, 6U * 6U * 3U);
    EXPECT_GT(dropped, 20U);
}

TEST(Box, is_the_sum_of_its_parts) {
    const auto space = parse_space(three_axes);
    const Box all = whole(*space);
    EXPECT_EQ(all.count(), 18U);
    EXPECT_FALSE(all.is_point());
    EXPECT_EQ(tiling_fault(all, slices(all, 0)), "");
    EXPECT_EQ(tiling_fault(all, halves(all, 1)), "");
    EXPECT_EQ(halves(all, 1)[1].axes[1], (space::Run{1, 2}));
}

}  // namespace
}  // namespace dse::space
