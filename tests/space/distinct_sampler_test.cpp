#include "space/distinct_sampler.hpp"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dse/space/grid_index.hpp"
#include "dse/space/registry.hpp"
#include "sample.hpp"

namespace dse::space {
namespace {

std::vector<std::uint64_t> places(const std::shared_ptr<const Space>& space) {
    const auto sampler = make_sampler(space);
    std::vector<std::uint64_t> found;
    for (const Point& point : testing::all_points(*sampler, 0, sampler->size()))
        found.push_back(*grid_index(*space, point.values));
    return found;
}

std::size_t distinct(const std::vector<std::uint64_t>& places) {
    return std::set<std::uint64_t>(places.begin(), places.end()).size();
}

std::shared_ptr<const Space> small_space(const std::string& method, int budget) {
    return testing::compile(
        fmt::format("axes: {{tp: [1, 2, 3, 4, 5], pp: [1, 2, 3, 4, 5, 6, 7]}}\n"
                    "require: [pp != 3]\nsearch: {{method: {}, budget: {}, seed: 5}}\n",
                    method, budget));
}

/// 30 of the grid's 35 points are in the space.
TEST(DistinctSampler, ABudgetBuysThatManyPoints) {
    for (const char* method : {"sobol", "latin_hypercube"}) {
        for (const int budget : {1, 17, 30}) {
            const auto found = places(small_space(method, budget));
            EXPECT_EQ(found.size(), static_cast<std::size_t>(budget)) << method;
            EXPECT_EQ(distinct(found), found.size()) << method;
        }
    }
}

TEST(DistinctSampler, AnExhaustedSpaceIsDrawnOnce) {
    for (const char* method : {"sobol", "latin_hypercube"}) {
        const auto found = places(small_space(method, 100));
        EXPECT_EQ(found.size(), 30U) << method;
        EXPECT_EQ(distinct(found), 30U) << method;
    }
}

/// The point of an id does not depend on which other ids are asked for.
TEST(DistinctSampler, IdsHaveTheSamePointInAnyRange) {
    const auto space = small_space("sobol", 25);
    const auto sampler = make_sampler(space);
    const auto all = testing::all_points(*sampler, 0, 25);
    ASSERT_EQ(all.size(), 25U);
    for (std::uint64_t id = 0; id < 25; ++id) {
        Point point;
        ASSERT_TRUE(sampler->point(id, point));
        EXPECT_EQ(point.id, id);
        EXPECT_EQ(point.values, all[id].values);
    }
}

TEST(DistinctSampler, PointsThatTheSequenceHasOnceStay) {
    for (const char* method : {"sobol", "latin_hypercube"}) {
        const auto space = small_space(method, 20);
        const auto sampler = make_sampler(space);
        const std::unique_ptr<Sampler> drawn = samplers().find(method)(space);
        std::set<std::uint64_t> seen;
        for (const Point& point : testing::all_points(*drawn, 0, 20)) {
            if (!seen.insert(*grid_index(*space, point.values)).second) continue;
            Point kept;
            ASSERT_TRUE(sampler->point(point.id, kept));
            EXPECT_EQ(kept.values, point.values) << method << ' ' << point.id;
        }
        EXPECT_GT(seen.size(), 5U) << method;
        EXPECT_LT(seen.size(), 20U) << "others are outside the space, or repeated: " << method;
    }
}

}  // namespace
}  // namespace dse::space
