#include "space/latin_hypercube_sampler.hpp"

#include <set>

#include <gtest/gtest.h>

#include "sample.hpp"

namespace dse::space {
namespace {

TEST(LatinHypercubeSampler, EachPartOfEachAxisOnce) {
    const auto space = testing::compile(
        "axes:\n  outer.efficiency: {from: 0.0, to: 1.0}\n  inner.efficiency: {from: 0.0, to: 1.0}\n"
        "search: {method: latin_hypercube, budget: 100}\n");
    const auto sampler = make_sampler(space);
    std::vector<std::set<int>> parts(2);
    for (const Point& point : testing::all_points(*sampler, 0, 100)) {
        for (std::size_t axis = 0; axis < 2; ++axis)
            parts[axis].insert(static_cast<int>(point.values[axis] * 100));
    }
    EXPECT_EQ(parts[0].size(), 100U);
    EXPECT_EQ(parts[1].size(), 100U);
}

}  // namespace
}  // namespace dse::space
