#include "dse/space/sampler.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/space/registry.hpp"
#include "space/permutation.hpp"
#include "tiny_sweep.hpp"

namespace dse::space {
namespace {

std::shared_ptr<const Space> layouts(const std::string& search) {
    return testing::compile(testing::layout_sweep + ("search: " + search + "\n"));
}

std::vector<Point> all_points(const Sampler& sampler, std::uint64_t first, std::uint64_t last) {
    std::vector<Point> points;
    Point point;
    const auto stream = sampler.points(first, last);
    while (stream->next(point)) points.push_back(point);
    return points;
}

std::vector<std::uint64_t> ids_of(const std::vector<Point>& points) {
    std::vector<std::uint64_t> ids;
    for (const Point& point : points) ids.push_back(point.id);
    return ids;
}

const char* const every_method[] = {"{method: grid}", "{method: random, budget: 200, seed: 3}",
                                    "{method: sobol, budget: 200, seed: 3}",
                                    "{method: latin_hypercube, budget: 200, seed: 3}"};

/// A range of ids gives the same points whether it is asked for at once, in parts, or id by id, by another
/// sampler of the same sweep.
TEST(Sampler, IdsAreAllThatMatters) {
    for (const char* method : every_method) {
        const auto sampler = make_sampler(layouts(method));
        const auto other = make_sampler(layouts(method));
        const std::vector<Point> whole = all_points(*sampler, 0, sampler->size());
        EXPECT_GT(whole.size(), 50U) << method;
        std::vector<Point> parts;
        for (std::uint64_t first = 0; first < sampler->size(); first += 7) {
            const auto part = all_points(*other, first, std::min(first + 7, sampler->size()));
            parts.insert(parts.end(), part.begin(), part.end());
        }
        std::vector<Point> singles;
        Point point;
        for (std::uint64_t id = 0; id < sampler->size(); ++id) {
            if (other->point(id, point)) singles.push_back(point);
        }
        EXPECT_EQ(ids_of(parts), ids_of(whole)) << method;
        ASSERT_EQ(ids_of(singles), ids_of(whole)) << method;
        for (std::size_t i = 0; i < whole.size(); ++i) {
            EXPECT_EQ(whole[i].values, singles[i].values);
            EXPECT_EQ(whole[i].values, parts[i].values);
        }
    }
}

TEST(Sampler, EveryPointIsInTheSpace) {
    for (const char* method : every_method) {
        const auto space = layouts(method);
        const auto sampler = make_sampler(space);
        for (Point& point : all_points(*sampler, 0, sampler->size())) {
            const std::vector<double> values = point.values;
            EXPECT_TRUE(space->complete(point.values)) << method;
            EXPECT_EQ(point.values, values);
        }
    }
}

TEST(Sampler, SeedsDiffer) {
    for (const std::string method : {"random", "sobol", "latin_hypercube"}) {
        const auto with = [&](const std::string& seed) {
            const auto sampler =
                make_sampler(layouts("{method: " + method + ", budget: 50, seed: " + seed + "}"));
            std::vector<double> first;
            for (const Point& point : all_points(*sampler, 0, 50)) first.push_back(point.values[0]);
            return first;
        };
        EXPECT_EQ(with("1"), with("1")) << method;
        EXPECT_NE(with("1"), with("2")) << method;
    }
}

TEST(RandomSampler, DrawsWithoutRepetitionUntilAllAreDrawn) {
    // 208 points are in the space (space_count_test); a budget above the grid's 384 finds each of them once.
    const auto sampler = make_sampler(layouts("{method: random, budget: 1000}"));
    EXPECT_EQ(sampler->size(), 384U);
    std::set<std::vector<double>> seen;
    for (const Point& point : all_points(*sampler, 0, sampler->size()))
        EXPECT_TRUE(seen.insert(point.values).second);
    EXPECT_EQ(seen.size(), 208U);
    // A budget below finds a point for each id, as long as there are places left.
    const auto some = make_sampler(layouts("{method: random, budget: 40}"));
    EXPECT_EQ(all_points(*some, 0, 40).size(), 40U);
}

TEST(RandomSampler, DrawsUniformly) {
    const auto space = testing::compile(
        "axes:\n  n: {from: 0, to: 9}\n  m: {from: 0, to: 99999}\nrequire: [n == n, m == m]\n"
        "search: {method: random, budget: 20000, seed: 5}\n");
    const auto sampler = make_sampler(space);
    std::vector<int> hits(10, 0);
    for (const Point& point : all_points(*sampler, 0, 20000))
        ++hits[static_cast<std::size_t>(point.values[0])];
    // 2,000 each; standard deviation sqrt(20000 · 0.1 · 0.9) = 42.
    for (const int count : hits) EXPECT_NEAR(count, 2000, 5 * 42);
}

TEST(RandomSampler, ContinuousAxes) {
    const auto space = testing::compile(
        "axes:\n  outer.efficiency: {from: 0.2, to: 0.8}\n  outer.bandwidth: {from: 1 GB/s, to: 100 GB/s, "
        "scale: log}\n"
        "require: [outer.efficiency > 0.5]\nsearch: {method: random, budget: 4000}\n");
    ASSERT_TRUE(space);
    const auto sampler = make_sampler(space);
    int low = 0;
    const auto points = all_points(*sampler, 0, 4000);
    EXPECT_EQ(points.size(), 4000U);
    for (const Point& point : points) {
        EXPECT_GT(point.values[0], 0.5);
        EXPECT_LE(point.values[0], 0.8);
        low += point.values[1] < 1e10;  // half of the range on a logarithmic scale
    }
    EXPECT_NEAR(low, 2000, 5 * 32);
}

/// Sobol's sequence: of 2^k points each half, quarter, … of each axis holds the same number; so does each
/// cell of the elementary partitions of two axes (first two dimensions: a (0, m, 2)-net up to the skipped
/// origin).
TEST(SobolSampler, FillsEvenly) {
    const auto space = testing::compile(
        "axes:\n  outer.efficiency: {from: 0.0, to: 1.0}\n  inner.efficiency: {from: 0.0, to: 1.0}\n"
        "search: {method: sobol, budget: 1024, seed: 11}\n");
    const auto sampler = make_sampler(space);
    std::vector<int> cells(64, 0);
    for (const Point& point : all_points(*sampler, 0, 1024)) {
        const auto x = static_cast<std::size_t>(point.values[0] * 8);
        const auto y = static_cast<std::size_t>(point.values[1] * 8);
        ++cells[8 * x + y];
    }
    for (const int count : cells) EXPECT_NEAR(count, 16, 1);
}

TEST(LatinHypercubeSampler, EachPartOfEachAxisOnce) {
    const auto space = testing::compile(
        "axes:\n  outer.efficiency: {from: 0.0, to: 1.0}\n  inner.efficiency: {from: 0.0, to: 1.0}\n"
        "search: {method: latin_hypercube, budget: 100}\n");
    const auto sampler = make_sampler(space);
    std::vector<std::set<int>> parts(2);
    for (const Point& point : all_points(*sampler, 0, 100)) {
        for (std::size_t axis = 0; axis < 2; ++axis)
            parts[axis].insert(static_cast<int>(point.values[axis] * 100));
    }
    EXPECT_EQ(parts[0].size(), 100U);
    EXPECT_EQ(parts[1].size(), 100U);
}

TEST(GridSampler, RefusesWhatIdsCannotNumber) {
    const auto space = testing::compile(
        "axes:\n  tp: {from: 1, to: 1000000000}\n  pp: {from: 1, to: 1000000000}\n  dp: {from: 1, to: 10}\n");
    EXPECT_THROW(make_sampler(space), InputError);  // 10^19 > 2^63
    const auto drawn = testing::compile(
        "axes:\n  tp: {from: 1, to: 1000000000}\n  pp: {from: 1, to: 1000000000}\n  dp: {from: 1, to: 10}\n"
        "search: {method: random, budget: 10}\n");
    EXPECT_EQ(all_points(*make_sampler(drawn), 0, 10).size(), 10U);
}

TEST(Samplers, AreListed) {
    EXPECT_EQ(samplers().names(), (std::vector<std::string>{"grid", "random", "sobol", "latin_hypercube"}));
    EXPECT_THROW(static_cast<void>(samplers().find("gird")), InputError);
}

TEST(Permutation, IsOneToOne) {
    for (const std::uint64_t size : {1U, 2U, 3U, 5U, 100U, 1000U, 4096U, 5000U}) {
        const Permutation permutation(size, size * 17);
        std::vector<bool> hit(size, false);
        for (std::uint64_t i = 0; i < size; ++i) {
            const std::uint64_t image = permutation(i);
            ASSERT_LT(image, size);
            ASSERT_FALSE(hit[image]);
            hit[image] = true;
        }
    }
    const std::uint64_t huge = std::uint64_t{1} << 63U;
    EXPECT_NE(Permutation(huge, 1)(0), Permutation(huge, 2)(0));
    EXPECT_LT(Permutation(huge, 1)(huge - 1), huge);
}

}  // namespace
}  // namespace dse::space
