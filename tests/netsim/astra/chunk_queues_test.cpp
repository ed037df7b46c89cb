#include "dse/netsim/astra/chunk_queues.hpp"

#include <array>

#include <gtest/gtest.h>

namespace dse::netsim {
namespace {

/// Chunks that pass these dimensions.
AstraPlan plan_of(std::int64_t chunks, std::initializer_list<std::size_t> dimensions) {
    AstraPlan plan;
    plan.chunks = chunks;
    for (const std::size_t dimension : dimensions) plan.add({.dimension = dimension});
    return plan;
}

TEST(AstraChunkQueues, one_dimension_works_round_by_round) {
    AstraChunkQueues queues;
    const std::array<Ticks, 1> ticks{100};
    EXPECT_EQ(queues.play(plan_of(5, {0}), ticks, 1), 500);
    EXPECT_EQ(queues.play(plan_of(5, {0}), ticks, 2), 300);
    EXPECT_EQ(queues.play(plan_of(5, {0}), ticks, 9), 100);
}

TEST(AstraChunkQueues, dimensions_work_at_the_same_time) {
    AstraChunkQueues queues;
    const std::array<Ticks, 2> ticks{100, 30};
    // The last chunk leaves the first dimension at 400.
    EXPECT_EQ(queues.play(plan_of(4, {0, 1}), ticks, 1), 430);
    // The second one is the bottleneck: it begins at 30 and works four times.
    const std::array<Ticks, 2> reversed{30, 100};
    EXPECT_EQ(queues.play(plan_of(4, {0, 1}), reversed, 1), 430);
}

TEST(AstraChunkQueues, a_chunk_that_comes_back_waits_behind_those_already_there) {
    AstraChunkQueues queues;
    const std::array<Ticks, 3> ticks{10, 100, 5};
    // Both chunks leave dimension 0 at 10 and 20. Chunk 0 is back at 110, chunk 1 at 210.
    EXPECT_EQ(queues.play(plan_of(2, {0, 1, 0}), ticks, 1), 215);
    // Dimension 0 dear: chunk 0 comes back at 101 while chunk 1 is at work until 200 and chunk 2 waits until
    // 300; then 0, 1 and 2 in the order in which they came: 400, 500, 600.
    const std::array<Ticks, 3> dear{100, 1, 100};
    EXPECT_EQ(queues.play(plan_of(3, {0, 1, 0}), dear, 1), 600);
}

TEST(AstraChunkQueues, says_whether_chunks_of_different_phases_joined_a_queue_at_once) {
    AstraChunkQueues queues;
    // The chunks come back to dimension 0 at 30 and 50.
    queues.play(plan_of(2, {0, 1, 0}), std::array<Ticks, 3>{10, 20, 5}, 1);
    EXPECT_FALSE(queues.had_ties());
    // Dimension 1 is joined from dimension 0 at 20 by chunk 1, and from dimension 2 at 10 + 5 + 5 by chunk 0.
    queues.play(plan_of(2, {0, 1, 2, 1}), std::array<Ticks, 4>{10, 5, 5, 1}, 1);
    EXPECT_TRUE(queues.had_ties());
    queues.play(plan_of(2, {0, 1, 2, 1}), std::array<Ticks, 4>{10, 5, 6, 1}, 1);
    EXPECT_FALSE(queues.had_ties()) << "of the last play";
    // Two at a time: both chunks end the first phase at once, in their own order.
    queues.play(plan_of(2, {0, 1}), std::array<Ticks, 2>{10, 5}, 2);
    EXPECT_FALSE(queues.had_ties());
}

}  // namespace
}  // namespace dse::netsim
