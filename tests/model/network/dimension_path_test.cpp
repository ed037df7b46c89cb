#include "dse/model/network/dimension_path.hpp"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace dse::model {
namespace {

using graph::Mesh;
using hardware::DimensionKind;

TEST(LinksBetween, takes_the_shorter_way) {
    EXPECT_EQ(links_between(DimensionKind::ring, 8, 1, 4), 3);
    EXPECT_EQ(links_between(DimensionKind::ring, 8, 7, 0), 1);
    EXPECT_EQ(links_between(DimensionKind::ring, 8, 6, 2), 4);
    EXPECT_EQ(links_between(DimensionKind::mesh, 8, 7, 0), 7);
    EXPECT_EQ(links_between(DimensionKind::switched, 8, 7, 0), 2);
    EXPECT_EQ(links_between(DimensionKind::fully_connected, 8, 7, 0), 1);
}

using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

Pairs pairs(const Mesh& mesh, std::int64_t from, std::int64_t to, std::vector<std::int64_t> sizes) {
    Pairs seen;
    for_stage_pairs(mesh, from, to, sizes,
                    [&](std::int64_t rank, std::int64_t peer) { seen.emplace_back(rank, peer); });
    return seen;
}

TEST(ForStagePairs, one_pair_stands_for_all_that_lie_alike) {
    EXPECT_EQ(pairs(Mesh::dense(4, 1, 2, 3), 1, 2, {8, 3}), (Pairs{{8, 16}}));
}

TEST(ForStagePairs, shows_every_pair_of_an_uneven_layout) {
    // Stages of 3 ranks on switches of 4: ranks 0, 1, 2 send to 3, 4, 5.
    EXPECT_EQ(pairs(Mesh::dense(3, 1, 1, 4), 0, 1, {4, 3}), (Pairs{{0, 3}, {1, 4}, {2, 5}}));
}

}  // namespace
}  // namespace dse::model
