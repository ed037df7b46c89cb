#include "dse/hardware/rank_set.hpp"

#include <gtest/gtest.h>

namespace dse::hardware {
namespace {

TEST(RankSet, has_every_so_many_ranks) {
    const RankSet set{.number = 3, .first_rank = 2, .rank_stride = 4};  // 2, 6, 10
    for (const std::int64_t rank : {2, 6, 10}) EXPECT_TRUE(set.contains(rank)) << rank;
    for (const std::int64_t rank : {-2, 0, 1, 3, 4, 9, 11, 14}) EXPECT_FALSE(set.contains(rank)) << rank;
    EXPECT_FALSE(RankSet{}.contains(0));
}

TEST(RankSet, lies_inside_a_job_up_to_its_last_rank) {
    const RankSet set{.number = 3, .first_rank = 2, .rank_stride = 4};
    EXPECT_TRUE(set.lies_inside(11));
    EXPECT_FALSE(set.lies_inside(10));
    EXPECT_TRUE((RankSet{.number = 0, .first_rank = 99}).lies_inside(1));
}

}  // namespace
}  // namespace dse::hardware
