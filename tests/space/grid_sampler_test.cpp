#include "space/grid_sampler.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "sample.hpp"

namespace dse::space {
namespace {

TEST(GridSampler, RefusesWhatIdsCannotNumber) {
    const auto space = testing::compile(
        "axes:\n  tp: {from: 1, to: 1000000000}\n  pp: {from: 1, to: 1000000000}\n  dp: {from: 1, to: 10}\n");
    EXPECT_THROW(make_sampler(space), InputError);  // 10^19 > 2^63
    const auto drawn = testing::compile(
        "axes:\n  tp: {from: 1, to: 1000000000}\n  pp: {from: 1, to: 1000000000}\n  dp: {from: 1, to: 10}\n"
        "search: {method: random, budget: 10}\n");
    EXPECT_EQ(testing::all_points(*make_sampler(drawn), 0, 10).size(), 10U);
}

}  // namespace
}  // namespace dse::space
