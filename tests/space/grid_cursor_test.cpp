#include "dse/space/grid_cursor.hpp"

#include <random>

#include <gtest/gtest.h>

#include "random_sweep.hpp"
#include "tiny_sweep.hpp"

namespace dse::space {
namespace {

std::vector<Point> by_hand(const Space& space, std::uint64_t first, std::uint64_t last) {
    std::vector<Point> points;
    Point point;
    for (std::uint64_t id = first; id < last; ++id) {
        if (space.point(id, point)) points.push_back(point);
    }
    return points;
}

std::vector<Point> by_cursor(const Space& space, std::uint64_t first, std::uint64_t last) {
    std::vector<Point> points;
    Point point;
    GridCursor cursor(space, first, last);
    while (cursor.next(point)) points.push_back(point);
    EXPECT_EQ(cursor.position(), last);
    EXPECT_FALSE(cursor.next(point));
    return points;
}

void expect_equal(const std::vector<Point>& a, const std::vector<Point>& b, const std::string& text) {
    ASSERT_EQ(a.size(), b.size()) << text;
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(a[i].id, b[i].id) << text;
        ASSERT_EQ(a[i].values, b[i].values) << text;
    }
}

TEST(GridCursor, FindsWhatAskingForEveryIdFinds) {
    testing::RandomSweep random(99);
    std::mt19937_64 range(5);
    for (int round = 0; round < 300; ++round) {
        const std::string text = random.text();
        const auto space = testing::compile(text);
        ASSERT_TRUE(space) << text;
        const std::uint64_t size = *space->grid_size().exact;
        expect_equal(by_cursor(*space, 0, size), by_hand(*space, 0, size), text);
        for (int part = 0; part < 4; ++part) {
            const std::uint64_t first = range() % (size + 1);
            const std::uint64_t last = first + range() % (size - first + 1);
            expect_equal(by_cursor(*space, first, last), by_hand(*space, first, last), text);
        }
    }
}

/// 10^18 ids of which the outermost axis drops all but one value: skipping must not look at each.
TEST(GridCursor, SkipsWholeBlocks) {
    const auto space = testing::compile(R"(axes:
  tp: {from: 1, to: 1000000}
  pp: {from: 1, to: 1000000}
  microbatch: {from: 1, to: 1000000}
require:
  - tp == 500
  - pp == 7
  - microbatch <= 3
)");
    ASSERT_TRUE(space);
    GridCursor cursor(*space, 0, *space->grid_size().exact);
    Point point;
    std::vector<std::uint64_t> ids;
    while (cursor.next(point)) ids.push_back(point.id);
    const std::uint64_t first = 499'000'006'000'000U;  // 499·10^12 + 6·10^6
    EXPECT_EQ(ids, (std::vector<std::uint64_t>{first, first + 1, first + 2}));
}

TEST(GridCursor, EmptyRangesAndImpossibleSpaces) {
    const auto space = testing::compile("axes:\n  tp: [1, 2]\nrequire: [devices > 64]\n");
    ASSERT_TRUE(space);
    Point point;
    EXPECT_FALSE(GridCursor(*space, 0, 2).next(point));
    const auto all = testing::compile("axes:\n  tp: [1, 2]\n");
    EXPECT_FALSE(GridCursor(*all, 1, 1).next(point));
    EXPECT_TRUE(GridCursor(*all, 1, 2).next(point));
    EXPECT_EQ(point.values, (std::vector<double>{2}));
}

}  // namespace
}  // namespace dse::space
