#include "dse/netsim/flow/collective_plan.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::netsim::flow {
namespace {

using graph::CollectiveKind;
using hardware::Algorithm;
using hardware::DimensionKind;

Level star(std::int64_t members, Algorithm algorithm) {
    return {members, DimensionKind::switched, false, algorithm};
}

CollectivePlan plan(CollectiveKind kind, const std::vector<Level>& levels) {
    return plan_collective(kind, levels);
}

/// What every member sends, as a share of the size.
std::map<std::uint32_t, double> sent(const CollectivePlan& plan) {
    std::map<std::uint32_t, double> sum;
    for (const Phase& phase : plan.phases) {
        for (const Send& send : phase) sum[send.from] += send.share;
    }
    return sum;
}

double messages(const CollectivePlan& plan) {
    double sum = 0.0;
    for (const Phase& phase : plan.phases) sum += phase.front().messages;
    return sum;
}

TEST(CollectivePlan, EveryMemberSendsWhatTheAlgorithmIsKnownFor) {
    // Volumes and steps of Thakur, Rabenseifner, Gropp 2005, with n = 8.
    struct Case {
        CollectiveKind kind;
        Algorithm algorithm;
        double share;
        double steps;
    };
    const Case cases[] = {
        {CollectiveKind::all_reduce, Algorithm::ring, 2 * 7.0 / 8, 14},
        {CollectiveKind::all_reduce, Algorithm::direct, 2 * 7.0 / 8, 2},
        {CollectiveKind::all_reduce, Algorithm::halving_doubling, 2 * 7.0 / 8, 6},
        {CollectiveKind::all_gather, Algorithm::ring, 7.0 / 8, 7},
        {CollectiveKind::reduce_scatter, Algorithm::halving_doubling, 7.0 / 8, 3},
        {CollectiveKind::all_to_all, Algorithm::direct, 7.0 / 8, 1},
        {CollectiveKind::all_to_all, Algorithm::halving_doubling, 3.0 / 2, 3},  // Bruck: half a step
        {CollectiveKind::ring_shift, Algorithm::automatic, 1.0, 1},
    };
    for (const Case& expected : cases) {
        const CollectivePlan made = plan(expected.kind, {star(8, expected.algorithm)});
        SCOPED_TRACE(std::string{graph::name(expected.kind)} + " by " +
                     std::string{hardware::name(expected.algorithm)});
        EXPECT_EQ(made.members, 8);
        EXPECT_DOUBLE_EQ(messages(made), expected.steps);
        const auto all = sent(made);
        ASSERT_EQ(all.size(), 8U);
        for (const auto& [member, share] : all) EXPECT_DOUBLE_EQ(share, expected.share);
    }
}

TEST(CollectivePlan, AnyNumberHalvesAndDoubles) {
    // Bruck's gather of 6: 1, 2 and the 2 that are left, of 6 blocks.
    const CollectivePlan made = plan(CollectiveKind::all_gather, {star(6, Algorithm::halving_doubling)});
    ASSERT_EQ(made.phases.size(), 3U);
    EXPECT_DOUBLE_EQ(made.phases[0].front().share, 1.0 / 6);
    EXPECT_DOUBLE_EQ(made.phases[1].front().share, 2.0 / 6);
    EXPECT_DOUBLE_EQ(made.phases[2].front().share, 2.0 / 6);
}

TEST(CollectivePlan, LevelsScatterOnTheWayOutAndGatherBack) {
    const CollectivePlan made =
        plan(CollectiveKind::all_reduce, {star(4, Algorithm::direct), star(3, Algorithm::ring)});
    EXPECT_TRUE(made.pipelines);
    EXPECT_EQ(made.members, 12);
    ASSERT_EQ(made.phases.size(), 3U);
    EXPECT_EQ(made.phases[0].size(), 12U * 3U);
    EXPECT_DOUBLE_EQ(made.phases[0].front().share, 1.0 / 4);
    // A quarter of the vector goes round 3 members twice, 4 apart.
    EXPECT_EQ(made.phases[1].size(), 12U);
    EXPECT_DOUBLE_EQ(made.phases[1].front().share, 1.0 / 4 * 2 * 2 / 3);
    EXPECT_EQ(made.phases[1].front().messages, 4);
    for (const Send& send : made.phases[1]) EXPECT_EQ(send.from % 4, send.to % 4);
    for (const Send& send : made.phases[2]) EXPECT_EQ(send.from / 4, send.to / 4);
}

TEST(CollectivePlan, AClosedRingGoesBothWays) {
    const CollectivePlan made =
        plan(CollectiveKind::all_gather, {{4, DimensionKind::ring, true, Algorithm::ring}});
    ASSERT_EQ(made.phases.size(), 1U);
    EXPECT_EQ(made.phases[0].size(), 8U);
    EXPECT_DOUBLE_EQ(made.phases[0].front().share, 3.0 / 8);
}

TEST(CollectivePlan, AnOpenLineIsAFoldedRing) {
    const CollectivePlan made =
        plan(CollectiveKind::all_gather, {{5, DimensionKind::mesh, false, Algorithm::ring}});
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const Send& send : made.phases[0]) pairs.insert({send.from, send.to});
    EXPECT_EQ(pairs,
              (std::set<std::pair<std::uint32_t, std::uint32_t>>{{0, 2}, {2, 4}, {4, 3}, {3, 1}, {1, 0}}));
}

TEST(CollectivePlan, ABroadcastReachesEveryMemberOnce) {
    const std::vector<std::vector<Level>> shapes{
        {star(7, Algorithm::automatic)},
        {star(4, Algorithm::automatic), star(3, Algorithm::automatic)},
        {{6, DimensionKind::ring, true, Algorithm::automatic},
         {3, DimensionKind::mesh, false, Algorithm::automatic}},
        {{5, DimensionKind::fully_connected, false, Algorithm::automatic}}};
    for (const std::vector<Level>& levels : shapes) {
        const CollectivePlan made = plan(CollectiveKind::broadcast, levels);
        std::map<std::uint32_t, int> received;
        std::set<std::uint32_t> have{0};
        for (const Phase& phase : made.phases) {
            std::set<std::uint32_t> get = have;
            for (const Send& send : phase) {
                ++received[send.to];
                get.insert(send.to);
            }
            // Who sends has the vector, or gets it in slices in the same phase.
            for (const Send& send : phase) EXPECT_TRUE(get.contains(send.from));
            have = get;
        }
        EXPECT_EQ(static_cast<std::int64_t>(received.size()), made.members - 1);
        for (const auto& [member, times] : received) EXPECT_EQ(times, 1) << member;
        EXPECT_FALSE(received.contains(0));
    }
}

TEST(CollectivePlan, RefusesTreesAndWhatIsTooMuch) {
    EXPECT_THROW(plan(CollectiveKind::all_reduce, {star(4, Algorithm::double_binary_tree)}), ModelError);
    EXPECT_THROW(plan(CollectiveKind::all_to_all, {star(100'000, Algorithm::direct)}), ModelError);
}

}  // namespace
}  // namespace dse::netsim::flow
