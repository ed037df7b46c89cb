#include "dse/trace/kineto/joint_replay.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::trace::kineto {
namespace {

/// Works for some time, meets others, and works for 5 more.
ReplayGraph rank_of(std::int64_t before, std::int64_t collective, const char* group = "") {
    ReplayGraph graph;
    graph.nodes.resize(3);
    graph.nodes[0].duration = before;
    graph.nodes[1].duration = collective;
    graph.nodes[1].before = 0;
    graph.nodes[1].collective = CollectiveWork{chakra::CommType::all_reduce, 8, group};
    graph.nodes[2].duration = 5;
    graph.nodes[2].data = {1};
    return graph;
}

/// Ranks arrive at 10 and at 40; what the late one took, 3, is what the collective takes; so both end at 48.
/// On the late rank's own clock, which begins at 30, that is 18.
TEST(JointReplay, CollectivesWaitForTheLastByHand) {
    const ReplayGraph early = rank_of(10, 33);
    const ReplayGraph late = rank_of(10, 3);
    const std::vector<ReplayRank> ranks{{&early, 0}, {&late, 30}};
    EXPECT_EQ(replay_together(ranks), (std::vector<std::int64_t>{48, 18}));
}

TEST(JointReplay, GroupsMeetByThemselves) {
    const ReplayGraph a = rank_of(10, 4, "a");
    const ReplayGraph b = rank_of(100, 4, "b");
    const std::vector<ReplayRank> ranks{{&a, 0}, {&b, 0}};
    EXPECT_EQ(replay_together(ranks), (std::vector<std::int64_t>{19, 109}));
}

TEST(JointReplay, SaysWhoDoesNotFit) {
    const ReplayGraph whole = rank_of(1, 1);
    ReplayGraph lacking = whole;
    lacking.nodes[1].collective.reset();
    ReplayGraph more = whole;
    more.nodes[2].collective = more.nodes[1].collective;
    const std::vector<ReplayRank> ranks{{&whole, 0}, {&more, 0}};
    try {
        replay_together(ranks);
        FAIL() << "no error";
    } catch (const ModelError& error) {
        EXPECT_STREQ(error.what(), "group '': rank 0 has 1 collectives, rank 1 has 2");
    }
    const std::vector<ReplayRank> alone{{&whole, 0}, {&lacking, 0}};
    EXPECT_EQ(replay_together(alone), (std::vector<std::int64_t>{7, 7}));
}

TEST(JointReplay, NeverHangs) {
    ReplayGraph first = rank_of(1, 1, "a");
    first.nodes[2].collective = CollectiveWork{chakra::CommType::all_reduce, 8, "b"};
    ReplayGraph second = rank_of(1, 1, "b");
    second.nodes[2].collective = CollectiveWork{chakra::CommType::all_reduce, 8, "a"};
    const std::vector<ReplayRank> ranks{{&first, 0}, {&second, 0}};
    EXPECT_THROW(replay_together(ranks), ModelError);
}

}  // namespace
}  // namespace dse::trace::kineto
