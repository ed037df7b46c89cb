#include "dse/model/network/placement.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::model {
namespace {

using graph::AxisSet;
using graph::Mesh;
using graph::MeshAxis;

/// Sizes in the default order, innermost first: tensor, context, expert, data, pipeline.
Mesh mesh(std::int64_t tp, std::int64_t cp, std::int64_t dp, std::int64_t pp) {
    Mesh result;
    result = graph::Mesh::dense(tp, cp, dp, pp);
    return result;
}

TEST(Place, inner_axes_share_a_domain) {
    const Mesh layout = mesh(8, 1, 4, 4);
    EXPECT_EQ(place(layout, MeshAxis::tensor, 8), (Placement{8, 1}));
    EXPECT_EQ(place(layout, MeshAxis::data, 8), (Placement{1, 4}));
    EXPECT_EQ(place(layout, MeshAxis::pipeline, 8), (Placement{1, 4}));
}

TEST(Place, a_group_may_span_domains_evenly) {
    // Data-parallel neighbours are 2 ranks apart: four of them in a domain of 8.
    EXPECT_EQ(place(mesh(2, 1, 16, 1), MeshAxis::data, 8), (Placement{4, 4}));
    EXPECT_EQ(place(mesh(16, 1, 2, 1), MeshAxis::tensor, 8), (Placement{8, 2}));
}

TEST(Place, axes_of_a_group_combine) {
    EXPECT_EQ(place(mesh(2, 2, 4, 2), AxisSet{MeshAxis::context} | MeshAxis::data, 8), (Placement{4, 2}));
    // Not neighbours: tensor inside, pipeline across.
    EXPECT_EQ(place(mesh(4, 1, 4, 2), AxisSet{MeshAxis::tensor} | MeshAxis::pipeline, 8), (Placement{4, 2}));
}

TEST(Place, a_job_within_one_domain_never_crosses) {
    EXPECT_EQ(place(mesh(3, 1, 5, 1), MeshAxis::data, 72), (Placement{5, 1}));
}

TEST(Place, a_group_of_one_lies_anywhere) {
    EXPECT_EQ(place(mesh(3, 1, 8, 1), MeshAxis::context, 8), (Placement{1, 1}));
    EXPECT_EQ(place(mesh(3, 1, 8, 1), AxisSet{}, 8), (Placement{1, 1}));
}

TEST(Place, a_contiguous_whole_may_be_even_where_its_parts_are_not) {
    // 3 × 8 neighbouring ranks fill three domains of 8, though tensor groups of 3 straddle them.
    const Mesh layout = mesh(3, 1, 8, 1);
    EXPECT_EQ(place(layout, AxisSet{MeshAxis::tensor} | MeshAxis::data, 8), (Placement{8, 3}));
    EXPECT_THROW(place(layout, MeshAxis::tensor, 8), ModelError);
}

TEST(Place, says_what_straddles) {
    try {
        place(mesh(6, 1, 4, 1), MeshAxis::tensor, 8);
        FAIL() << "a group of 6 does not divide a domain of 8";
    } catch (const ModelError& error) {
        EXPECT_STREQ(
            error.what(),
            "a group of 6 ranks straddles scale-up domains of 8 devices unevenly (choose degrees that "
            "divide the domain)");
    }
}

/// The placement by counting: members of each domain of each group. Nothing where groups differ.
std::optional<Placement> counted(const Mesh& layout, AxisSet axes, std::int64_t domain) {
    std::optional<Placement> all;
    for (std::int64_t rank = 0; rank < layout.ranks(); ++rank) {
        std::map<std::int64_t, std::int64_t> members;
        for (const std::int64_t peer : layout.group(axes, rank)) ++members[peer / domain];
        const Placement own{members.begin()->second, static_cast<std::int64_t>(members.size())};
        const bool even = std::all_of(members.begin(), members.end(),
                                      [&](const auto& count) { return count.second == own.inside; });
        if (!even || (all && *all != own)) return std::nullopt;
        all = own;
    }
    return all;
}

TEST(Place, agrees_with_counting_on_random_meshes) {
    std::mt19937_64 random{2024};
    const auto pick = [&](std::initializer_list<std::int64_t> values) {
        return *(values.begin() + static_cast<std::ptrdiff_t>(random() % values.size()));
    };
    int even = 0;
    int uneven = 0;
    for (int i = 0; i < 4000; ++i) {
        // Sizes of both foldings, the pipeline outermost of either.
        std::array<std::int64_t, 3> size{pick({1, 1, 2, 3, 4}), pick({1, 2, 3, 4}), pick({1, 2, 3, 4})};
        Mesh layout = Mesh::dense(size[0], size[1], size[2], pick({1, 1, 2, 3, 4}));
        std::shuffle(size.begin(), size.end(), random);
        layout.set_degree(MeshAxis::expert_tensor, size[0]);
        layout.set_degree(MeshAxis::expert, size[1]);
        layout.set_degree(MeshAxis::expert_data, size[2]);
        std::shuffle(layout.order.begin(), layout.order.end() - 1, random);
        const AxisSet folding = graph::folding_of(random() % 2 == 0 ? MeshAxis::tensor : MeshAxis::expert);
        AxisSet axes;
        for (const MeshAxis axis : layout.order) {
            if (folding.contains(axis) && random() % 2 == 0) axes = axes | axis;
        }
        const std::int64_t domain = pick({1, 2, 3, 4, 6, 8, 12, 16});
        const auto expected = counted(layout, axes, domain);
        if (expected) {
            ++even;
            ASSERT_NO_THROW(place(layout, axes, domain)) << domain << ", group of " << layout.degree(axes);
            ASSERT_EQ(place(layout, axes, domain), *expected);
        } else {
            ++uneven;
            ASSERT_THROW(place(layout, axes, domain), ModelError);
        }
    }
    EXPECT_GT(even, 1000);
    EXPECT_GT(uneven, 300);
}

TEST(StagesCrossDomains, agrees_with_counting_on_random_meshes) {
    std::mt19937_64 random{99};
    int crossing = 0;
    for (int i = 0; i < 3000; ++i) {
        const auto degree = [&] { return 1 + static_cast<std::int64_t>(random() % 4); };
        Mesh layout = Mesh::dense(degree(), degree(), degree(), degree());
        std::shuffle(layout.order.begin(), layout.order.end(), random);
        const std::int64_t stages = layout.degree(MeshAxis::pipeline);
        const std::int64_t from = static_cast<std::int64_t>(random()) & 3;
        const std::int64_t to = static_cast<std::int64_t>(random()) & 3;
        if (from >= stages || to >= stages) continue;
        const std::int64_t domain = 1 + static_cast<std::int64_t>(random() % 16);
        bool expected = false;
        for (std::int64_t rank = 0; rank < layout.ranks(); ++rank) {
            if (layout.coordinate(MeshAxis::pipeline, rank) != from) continue;
            const std::int64_t peer = rank + (to - from) * layout.stride(MeshAxis::pipeline);
            expected = expected || rank / domain != peer / domain;
        }
        crossing += expected ? 1 : 0;
        ASSERT_EQ(stages_cross_domains(layout, from, to, domain), expected)
            << domain << " " << from << " " << to;
    }
    EXPECT_GT(crossing, 500);
}

}  // namespace
}  // namespace dse::model
