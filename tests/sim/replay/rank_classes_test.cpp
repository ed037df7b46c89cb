#include "sim/replay/rank_classes.hpp"

#include <gtest/gtest.h>

#include "sim/replay/hand_job.hpp"

namespace dse::sim::replay {
namespace {

std::vector<std::size_t> classes_of(HandJob& hand) {
    const RankClasses classes{hand.job(), RankClasses::Fold::equal_ranks};
    std::vector<std::size_t> numbers;
    for (std::size_t rank = 0; rank < hand.hands.size(); ++rank)
        numbers.push_back(classes.of(static_cast<std::int64_t>(rank)));
    return numbers;
}
using Numbers = std::vector<std::size_t>;

TEST(RankClasses, members_of_equal_groups_are_one_class) {
    HandJob hand{4};
    hand.listed.add("1", {0, 1});
    hand.listed.add("2", {2, 3});
    for (std::size_t rank = 0; rank < 4; ++rank)
        hand.hands[rank].recorded(0, 5).collective(1, CommType::all_reduce, 100, rank < 2 ? "1" : "2", {0});
    EXPECT_EQ(classes_of(hand), (Numbers{0, 0, 0, 0}));
}

TEST(RankClasses, one_who_is_late_sets_all_of_its_group_apart) {
    HandJob hand{4};
    hand.listed.add("1", {0, 1});
    hand.listed.add("2", {2, 3});
    for (std::size_t rank = 0; rank < 4; ++rank)
        hand.hands[rank]
            .recorded(0, rank == 3 ? 6 : 5)
            .collective(1, CommType::all_reduce, 100, rank < 2 ? "1" : "2", {0});
    EXPECT_EQ(classes_of(hand), (Numbers{0, 0, 1, 2}));
}

TEST(RankClasses, stages_are_classes_and_their_pairs_may_have_tags_of_their_own) {
    HandJob hand{4};
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        hand.hands[static_cast<std::size_t>(rank)].recorded(0, 5).send(1, rank + 2, 100, 70 + rank, {0});
        hand.hands[static_cast<std::size_t>(rank + 2)].receive(0, rank, 100, 70 + rank).recorded(1, 5, {0});
    }
    AstraJob& job = hand.job();
    const RankClasses classes{job, RankClasses::Fold::equal_ranks};
    EXPECT_EQ(classes.size(), 2U);
    EXPECT_EQ(classes.of(1), classes.of(0));
    EXPECT_EQ(classes.of(3), classes.of(2));
    EXPECT_EQ(classes.representative(1), 2);
    EXPECT_EQ(classes.common(job, {71, 1, 3, 100}), (netsim::AstraMessage{70, 0, 2, 100}));
}

TEST(RankClasses, peers_that_are_farther_make_a_difference) {
    HandJob hand{6};
    hand.machine.system.all_dimensions[0].kind = hardware::DimensionKind::ring;
    // 0 to 1 is a link, 2 to 5 are three.
    hand.hands[0].send(0, 1, 100, 1);
    hand.hands[1].receive(0, 0, 100, 1);
    hand.hands[2].send(0, 5, 100, 1);
    hand.hands[5].receive(0, 2, 100, 1);
    EXPECT_EQ(classes_of(hand), (Numbers{0, 1, 2, 3, 3, 4}));
}

TEST(RankClasses, each_place_in_an_uneven_ring_is_a_class) {
    HandJob hand{6};
    hand.machine.system.all_dimensions[0].kind = hardware::DimensionKind::ring;
    hand.listed.add("1", {0, 1, 3});
    for (const std::size_t rank : {0U, 1U, 3U}) hand.hands[rank].collective(0, CommType::all_gather, 10, "1");
    EXPECT_EQ(classes_of(hand), (Numbers{0, 1, 2, 3, 2, 2}));
}

TEST(RankClasses, no_folding_leaves_every_rank_to_itself) {
    HandJob hand{3};
    const RankClasses classes{hand.job(), RankClasses::Fold::none};
    EXPECT_EQ(classes.size(), 3U);
    EXPECT_FALSE(classes.moves_in_step(AstraGroups::all));
}

}  // namespace
}  // namespace dse::sim::replay
