#include "dse/model/network/spread.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/model/network/placement.hpp"

namespace dse::model {
namespace {

using graph::AxisSet;
using graph::Mesh;
using graph::MeshAxis;

TEST(Spread, follows_the_ranks_through_the_dimensions) {
    // 64 ranks on 4 × 4 × 4; data-parallel groups of 8, two ranks apart: 2 of 4 along the first, all of the
    // second.
    const Spread group =
        spread(Mesh::dense(2, 1, 8, 4), MeshAxis::data, std::array<std::int64_t, 3>{4, 4, 4});
    EXPECT_TRUE(group.even);
    EXPECT_EQ(group.along[0].members, 2);
    EXPECT_EQ(group.along[0].stride, 2);
    EXPECT_EQ(group.along[1].members, 4);
    EXPECT_EQ(group.along[1].stride, 1);
    EXPECT_EQ(group.along[2].members, 1);
}

TEST(Spread, the_outermost_dimension_is_as_long_as_needed) {
    const Spread group = spread(Mesh::dense(1, 1, 96, 1), MeshAxis::data, std::array<std::int64_t, 2>{8, 1});
    EXPECT_TRUE(group.even);
    EXPECT_EQ(group.along[0].members, 8);
    EXPECT_EQ(group.along[1].members, 12);
}

TEST(Spread, counts_the_runs_in_a_dimension) {
    const AxisSet axes = AxisSet{MeshAxis::tensor} | MeshAxis::data;
    const Spread group = spread(Mesh::dense(2, 2, 2, 1), axes, std::array<std::int64_t, 1>{8});
    EXPECT_EQ(group.along[0].members, 4);
    EXPECT_EQ(group.along[0].runs, 2);
}

/// Members of the group of `rank` by position in all dimensions but `d`: how many share such a position.
std::vector<std::int64_t> company(const Mesh& mesh, AxisSet axes, std::int64_t rank,
                                  const std::vector<std::int64_t>& sizes, std::size_t d) {
    std::map<std::vector<std::int64_t>, std::int64_t> lines;
    for (std::int64_t member : mesh.group(axes, rank)) {
        std::vector<std::int64_t> position;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            position.push_back(i == d ? 0 : member % sizes[i]);
            member /= sizes[i];
        }
        ++lines[position];
    }
    std::vector<std::int64_t> counts;
    for (const auto& [position, count] : lines) counts.push_back(count);
    return counts;
}

TEST(Spread, agrees_with_counting_where_groups_lie_evenly) {
    std::mt19937_64 random{5};
    const auto degree = [&] { return std::int64_t{1} << random() % 3; };
    int checked = 0;
    for (int i = 0; i < 400; ++i) {
        Mesh mesh = Mesh::dense(degree(), degree(), degree(), degree());
        std::ranges::shuffle(mesh.order, random);
        std::vector<std::int64_t> sizes{2 * degree(), 2 * degree(), 1};
        if (mesh.ranks() % (sizes[0] * sizes[1]) != 0) continue;
        sizes[2] = mesh.ranks() / (sizes[0] * sizes[1]);
        const AxisSet axes = AxisSet{MeshAxis::data} |
                             (random() % 2 == 0 ? AxisSet{MeshAxis::tensor} : AxisSet{MeshAxis::pipeline});
        const Spread found = spread(mesh, axes, sizes);
        ASSERT_TRUE(found.even);  // all sizes are powers of two
        for (std::size_t d = 0; d < sizes.size(); ++d) {
            for (const std::int64_t rank : {std::int64_t{0}, mesh.ranks() - 1}) {
                for (const std::int64_t count : company(mesh, axes, rank, sizes, d)) {
                    ASSERT_EQ(count, found.along[d].members) << i << " " << d;
                }
            }
        }
        ++checked;
    }
    EXPECT_GT(checked, 100);
}

TEST(Spread, on_two_levels_is_the_placement) {
    std::mt19937_64 random{6};
    int uneven = 0;
    for (int i = 0; i < 2000; ++i) {
        const auto degree = [&] { return 1 + static_cast<std::int64_t>(random() % 6); };
        Mesh mesh = Mesh::dense(degree(), degree(), degree(), degree());
        std::ranges::shuffle(mesh.order, random);
        const std::int64_t domain = 2 + static_cast<std::int64_t>(random() % 15);
        if (mesh.ranks() <= domain) continue;
        const AxisSet axes = AxisSet{MeshAxis::data} |
                             (random() % 2 == 0 ? AxisSet{MeshAxis::tensor} : AxisSet{MeshAxis::context});
        const Spread found = spread(mesh, axes, std::array<std::int64_t, 2>{domain, 1});
        try {
            const Placement placement = place(mesh, axes, domain);
            ASSERT_TRUE(found.even) << i;
            ASSERT_EQ(placement, (Placement{found.along[0].members, found.along[1].members})) << i;
        } catch (const ModelError&) {
            ASSERT_FALSE(found.even) << i;
            ++uneven;
        }
    }
    EXPECT_GT(uneven, 100);
}

TEST(Spread, groups_that_do_not_fit_are_uneven) {
    EXPECT_FALSE(spread(Mesh::dense(3, 1, 8, 1), MeshAxis::tensor, std::array<std::int64_t, 2>{8, 3}).even);
    EXPECT_FALSE(spread(Mesh::dense(4, 1, 6, 1), MeshAxis::data, std::array<std::int64_t, 2>{12, 2}).even &&
                 spread(Mesh::dense(4, 1, 6, 1), MeshAxis::tensor, std::array<std::int64_t, 2>{6, 4}).even);
}

}  // namespace
}  // namespace dse::model
