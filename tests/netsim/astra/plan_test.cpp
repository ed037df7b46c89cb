#include "dse/netsim/astra/plan.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "netsim/astra/small_systems.hpp"

namespace dse::netsim {
namespace {

/// A ring of 4 inside a switch of 2, a ring along both.
AstraSystem two_dimensions() {
    AstraSystem system;
    system.add({DimensionKind::ring, 4, 1.0, 0.0});
    system.add({DimensionKind::switched, 2, 1.0, 0.0});
    system.set_algorithms(std::array{AstraAlgorithm{}, AstraAlgorithm{}});
    system.splits = 4;
    return system;
}

struct Step {
    std::size_t dimension;
    CollectiveKind kind;
    std::int64_t bytes;
    friend bool operator==(const Step&, const Step&) = default;
};

std::vector<Step> steps(const AstraPlan& plan) {
    std::vector<Step> result;
    for (const AstraPhase& phase : plan.phases())
        result.push_back({phase.dimension, phase.kind, phase.bytes});
    return result;
}

TEST(AstraPlan, an_all_reduce_scatters_on_the_way_out_and_gathers_on_the_way_back) {
    const AstraPlan plan = plan_all(two_dimensions(), CollectiveKind::all_reduce, 4000);
    EXPECT_EQ(plan.chunks, 4);
    EXPECT_EQ(steps(plan), (std::vector<Step>{{0, CollectiveKind::reduce_scatter, 1000},
                                              {1, CollectiveKind::all_reduce, 250},
                                              {0, CollectiveKind::all_gather, 250}}));
    EXPECT_EQ(plan.all_phases[1].stride, 4);
}

TEST(AstraPlan, other_collectives_pass_each_dimension_once) {
    const AstraSystem system = two_dimensions();
    EXPECT_EQ(steps(plan_all(system, CollectiveKind::reduce_scatter, 4000)),
              (std::vector<Step>{{0, CollectiveKind::reduce_scatter, 1000},
                                 {1, CollectiveKind::reduce_scatter, 250}}));
    // Outer dimension first, and what one device brings grows.
    EXPECT_EQ(
        steps(plan_all(system, CollectiveKind::all_gather, 4000)),
        (std::vector<Step>{{1, CollectiveKind::all_gather, 1000}, {0, CollectiveKind::all_gather, 2000}}));
    EXPECT_EQ(
        steps(plan_all(system, CollectiveKind::all_to_all, 4000)),
        (std::vector<Step>{{0, CollectiveKind::all_to_all, 1000}, {1, CollectiveKind::all_to_all, 1000}}));
}

TEST(AstraPlan, the_baseline_all_reduces_the_full_size_in_every_dimension) {
    AstraSystem system = two_dimensions();
    system.optimization = AstraOptimization::baseline;
    EXPECT_EQ(
        steps(plan_all(system, CollectiveKind::all_reduce, 4000)),
        (std::vector<Step>{{0, CollectiveKind::all_reduce, 1000}, {1, CollectiveKind::all_reduce, 1000}}));
}

TEST(AstraPlan, a_remainder_costs_a_full_chunk) {
    // 1,000,003 bytes by 4 are 250,000, and 3 bytes are left: a fifth chunk.
    const AstraPlan plan = plan_all(two_dimensions(), CollectiveKind::all_reduce, 1000003);
    EXPECT_EQ(plan.chunks, 5);
    EXPECT_EQ(plan.all_phases[0].bytes, 250000);
}

TEST(AstraPlan, a_chunk_has_a_byte_for_every_device_but_not_of_an_all_gather) {
    const AstraSystem system = two_dimensions();
    EXPECT_EQ(plan_all(system, CollectiveKind::all_reduce, 1).all_phases[0].bytes, 8);
    EXPECT_EQ(plan_all(system, CollectiveKind::all_gather, 4).all_phases[0].bytes, 1);
    EXPECT_THROW(plan_all(system, CollectiveKind::all_gather, 3), ModelError);
}

TEST(AstraPlan, a_short_list_of_algorithms_leaves_outer_dimensions_out) {
    AstraSystem system = two_dimensions();
    system.set_algorithms(std::array{AstraAlgorithm{}});
    EXPECT_EQ(steps(plan_all(system, CollectiveKind::all_reduce, 4000)),
              (std::vector<Step>{{0, CollectiveKind::all_reduce, 1000}}));
    system.set_algorithms(std::array{parse_astra_algorithm("oneRing")});
    EXPECT_EQ(plan_all(system, CollectiveKind::all_reduce, 4000).all_phases[0].nodes, 8);
}

TEST(AstraPlan, a_group_is_one_ring_with_a_delay_of_its_own) {
    AstraSystem system = two_dimensions();
    system.set_algorithms(std::array{parse_astra_algorithm("direct"), parse_astra_algorithm("direct")});
    system.endpoint_delay = 70;
    const AstraPlan plan = plan_group(system, CollectiveKind::all_reduce, 4000, 3);
    ASSERT_EQ(plan.phase_count, 1U);
    EXPECT_EQ(plan.all_phases[0].nodes, 3);
    EXPECT_EQ(plan.all_phases[0].algorithm.algorithm, Algorithm::ring);
    EXPECT_EQ(plan.all_phases[0].endpoint_delay, 10);
    // With one dimension, its own algorithm stays.
    AstraSystem one = line_of(DimensionKind::switched, 8, Algorithm::direct);
    EXPECT_EQ(plan_group(one, CollectiveKind::all_reduce, 4000, 4).all_phases[0].algorithm.algorithm,
              Algorithm::direct);
}

TEST(AstraPlan, refuses_what_astra_sim_fails_at) {
    const auto refuses = [](const AstraSystem& system, CollectiveKind kind) {
        EXPECT_THROW(plan_all(system, kind, 4000), ModelError) << graph::name(kind);
    };
    refuses(line_of(DimensionKind::switched, 6, Algorithm::halving_doubling), CollectiveKind::all_reduce);
    refuses(line_of(DimensionKind::switched, 8, Algorithm::halving_doubling), CollectiveKind::all_to_all);
    refuses(line_of(DimensionKind::switched, 6, Algorithm::double_binary_tree), CollectiveKind::all_reduce);
    EXPECT_THROW(plan_group(line_of(DimensionKind::switched, 8, Algorithm::double_binary_tree),
                            CollectiveKind::all_reduce, 4000, 4),
                 ModelError);
}

TEST(AstraPlan, a_tree_all_reduces_the_whole_chunk_in_every_phase) {
    AstraSystem system = two_dimensions();
    system.set_algorithms(std::array{AstraAlgorithm{Algorithm::double_binary_tree}, AstraAlgorithm{}});
    const AstraPlan plan = plan_all(system, CollectiveKind::all_reduce, 4000);
    EXPECT_EQ(steps(plan), (std::vector<Step>{{0, CollectiveKind::all_reduce, 1000},
                                              {1, CollectiveKind::all_reduce, 1000},
                                              {0, CollectiveKind::all_reduce, 1000}}));
    EXPECT_EQ(plan.all_phases[0].tree, plan.all_phases[2].tree);
    EXPECT_EQ(plan.all_phases[2].tree_uses, 1);
    const AstraPlan gather = plan_all(system, CollectiveKind::all_gather, 4000);
    EXPECT_EQ(steps(gather), (std::vector<Step>{{1, CollectiveKind::all_gather, 1000},
                                                {0, CollectiveKind::all_reduce, 2000}}));
    EXPECT_NE(gather.all_phases[1].tree, plan.all_phases[0].tree);
}

TEST(AstraPlan, gathers_of_an_all_reduce_go_back_the_other_way) {
    AstraSystem system;
    system.add({DimensionKind::ring, 4, 1.0, 0.0});
    system.add({DimensionKind::switched, 2, 1.0, 0.0});
    const std::array<AstraAlgorithm, 2> rings{};
    system.set_algorithms(rings);
    const AstraPlan plan = plan_all(system, CollectiveKind::all_reduce, 800);
    ASSERT_EQ(plan.phase_count, 3U);
    EXPECT_EQ(plan.phases()[0].direction, AstraDirection::clockwise);
    EXPECT_EQ(plan.phases()[1].direction, AstraDirection::clockwise);
    EXPECT_EQ(plan.phases()[2].direction, AstraDirection::anticlockwise);
    const AstraPlan gather = plan_all(system, CollectiveKind::all_gather, 800);
    for (const AstraPhase& phase : gather.phases()) EXPECT_EQ(phase.direction, AstraDirection::clockwise);
}

}  // namespace
}  // namespace dse::netsim
