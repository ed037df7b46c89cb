#include "dse/trace/msccl/run_algorithm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithm_text.hpp"
#include "support/error_message.hpp"

namespace dse::trace::msccl {
namespace {

using test::AlgorithmText;
using testing::HasSubstr;

AlgorithmRun run(AlgorithmText text) {
    return run_algorithm(parse_algorithm(text.text(), "a.xml"));
}
bool is_right(const AlgorithmRun& run) {
    return run.is_checked && run.wrong == 0;
}

TEST(MscclRun, AnAllReduceSumsEveryRankOnce) {
    const AlgorithmRun in_place = run_algorithm(parse_algorithm(test::pair_all_reduce(), "a.xml"));
    EXPECT_TRUE(is_right(in_place));
    EXPECT_EQ(in_place.order.size(), 6U);
    // Without a common memory, the sums are in the inputs, and the outputs have never been stored.
    const AlgorithmRun apart = run_algorithm(parse_algorithm(test::pair_all_reduce(false), "a.xml"));
    EXPECT_EQ(apart.wrong, 4);
    EXPECT_THAT(apart.example, HasSubstr("chunk 0 of rank 0 is nothing that was stored, not 0.0 + 1.0"));
}

TEST(MscclRun, WhatIsAddedTwiceIsWrong) {
    AlgorithmText text{"allreduce", 2, 1, true};
    text.gpu(1, 1).block(1, 1).step("s", "i0", "i0").step("s", "i0", "i0").step("r", "i0", "i0");
    text.gpu(1, 1).block(0, 0).step("rrc", "i0", "i0").step("rrcs", "i0", "i0");
    const AlgorithmRun twice = run(text);
    EXPECT_EQ(twice.wrong, 2);
    EXPECT_THAT(twice.example, HasSubstr("is 0.0 + 0.0 + 1.0, not 0.0 + 1.0"));
}

TEST(MscclRun, TheOtherCollectivesLeaveTheirChunks) {
    AlgorithmText gather{"allgather", 2, 2};
    AlgorithmText scatter{"reducescatter", 2, 2, true};
    AlgorithmText exchange{"alltoall", 2, 2};
    for (int rank = 0; rank < 2; ++rank) {
        const std::string own = std::to_string(rank);
        const std::string other = std::to_string(1 - rank);
        gather.gpu(1, 2).block(1 - rank, 1 - rank);
        gather.step("s", "i0", "o0").step("cpy", "i0", "o" + own).step("r", "i0", "o" + other);
        // In place: the output is this rank's part of the input.
        scatter.gpu(2, 1).block(1 - rank, 1 - rank).step("s", "i" + other, "o0").step("rrc", "i" + own, "o0");
        exchange.gpu(2, 2).block(1 - rank, 1 - rank);
        exchange.step("s", "i" + other, "o0").step("cpy", "i" + own, "o" + own).step("r", "i0", "o" + other);
    }
    EXPECT_TRUE(is_right(run(gather)));
    EXPECT_TRUE(is_right(run(scatter)));
    EXPECT_TRUE(is_right(run(exchange)));
}

TEST(MscclRun, OtherCollectivesAreNotChecked) {
    AlgorithmText text{"alltonext", 2, 1};
    text.gpu(1, 1).block(1, -1).step("s", "i0", "o0");
    text.gpu(1, 1).block(-1, 0).step("r", "i0", "o0");
    EXPECT_FALSE(run(text).is_checked);
}

TEST(MscclRun, BlocksWaitForEachOther) {
    // Block 1 sends what block 0 has received and added; a nop waits for both.
    AlgorithmText text{"allreduce", 2, 1, true};
    text.gpu(1, 1, 1).block(-1, 1).step("r", "s0", "s0").step("re", "s0", "i0");
    text.block(1, -1).step("nop", "i0", "i0", 1, 0, 0).step("s", "i0", "i0", 1, 0, 1);
    text.gpu(1, 1).block(0, 0).step("s", "i0", "i0").step("r", "i0", "i0");
    EXPECT_TRUE(is_right(run(text)));
}

TEST(MscclRun, NeverHangsButSaysWhoWaits) {
    const auto error = [](AlgorithmText text) { return dse::test::error_message([&] { run(text); }); };
    AlgorithmText deaf{"allreduce", 2, 1};
    deaf.gpu(1, 1).block(1, 1).step("r", "i0", "o0").step("s", "i0", "o0");
    deaf.gpu(1, 1).block(0, 0).step("r", "i0", "o0").step("s", "i0", "o0");
    EXPECT_THAT(error(deaf), HasSubstr("2 blocks wait for ever"));
    EXPECT_THAT(error(deaf), HasSubstr("rank 1, block 0, step 0 waits for a message of rank 0 on channel 0"));

    AlgorithmText circle{"allreduce", 2, 1};
    circle.gpu(1, 1).block(-1, -1).step("cpy", "i0", "o0", 1, 1, 0);
    circle.block(-1, -1).step("cpy", "i0", "o0", 1, 0, 0).gpu(1, 1);
    EXPECT_THAT(error(circle), HasSubstr("block 1, step 0 waits for step 0 of block 0"));

    AlgorithmText ignored{"allreduce", 2, 1};
    ignored.gpu(1, 1).block(1, -1).step("s", "i0", "o0").gpu(1, 1);
    EXPECT_THAT(error(ignored), HasSubstr("rank 1 does not receive 1 messages of rank 0"));

    AlgorithmText uneven{"allreduce", 2, 2};
    uneven.gpu(2, 2).block(1, -1).step("s", "i0", "o0", 2);
    uneven.gpu(2, 2).block(-1, 0).step("r", "i0", "o0", 1);
    EXPECT_THAT(error(uneven), HasSubstr("it receives 1 chunks where 2 are sent"));
}

}  // namespace
}  // namespace dse::trace::msccl
