#include "dse/space/sampler.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "dse/space/registry.hpp"
#include "sample.hpp"

namespace dse::space {
namespace {

std::vector<std::uint64_t> ids_of(const std::vector<Point>& points) {
    std::vector<std::uint64_t> ids;
    for (const Point& point : points) ids.push_back(point.id);
    return ids;
}

/// Of each sampler a search; grid, which asks for all points, takes no budget.
std::vector<std::string> every_method(const std::string& more) {
    std::vector<std::string> methods;
    for (const auto& row : samplers().rows())
        methods.push_back("{method: " + row.name + (row.name == "grid" ? "" : ", " + more) + "}");
    return methods;
}

/// A range of ids gives the same points whether it is asked for at once, in parts, or id by id, by another
/// sampler of the same sweep.
TEST(Sampler, IdsAreAllThatMatters) {
    for (const std::string& method : every_method("budget: 200, seed: 3")) {
        const auto sampler = make_sampler(testing::layouts(method));
        const auto other = make_sampler(testing::layouts(method));
        const std::vector<Point> whole = testing::all_points(*sampler, 0, sampler->size());
        EXPECT_GT(whole.size(), 50U) << method;
        std::vector<Point> parts;
        for (std::uint64_t first = 0; first < sampler->size(); first += 7) {
            const auto part = testing::all_points(*other, first, std::min(first + 7, sampler->size()));
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
    for (const std::string& method : every_method("budget: 200, seed: 3")) {
        const auto space = testing::layouts(method);
        const auto sampler = make_sampler(space);
        for (Point& point : testing::all_points(*sampler, 0, sampler->size())) {
            const std::vector<double> values = point.values;
            EXPECT_TRUE(space->complete(point.values)) << method;
            EXPECT_EQ(point.values, values);
        }
    }
}

TEST(Sampler, SeedsDiffer) {
    for (const auto& row : samplers().rows()) {
        const std::string& method = row.name;
        if (method == "grid") continue;  // has all points
        const auto with = [&](const std::string& seed) {
            const auto sampler =
                make_sampler(testing::layouts("{method: " + method + ", budget: 50, seed: " + seed + "}"));
            std::vector<double> first;
            for (const Point& point : testing::all_points(*sampler, 0, 50)) first.push_back(point.values[0]);
            return first;
        };
        EXPECT_EQ(with("1"), with("1")) << method;
        EXPECT_NE(with("1"), with("2")) << method;
    }
}

}  // namespace
}  // namespace dse::space
