#include "dse/trace/msccl/algorithm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithm_text.hpp"
#include "support/error_message.hpp"

namespace dse::trace::msccl {
namespace {

using test::AlgorithmText;
using testing::HasSubstr;

std::string error_of(AlgorithmText text) {
    return dse::test::error_message([&] { parse_algorithm(text.text(), "a.xml"); });
}
/// Two ranks, the first of which has one block with rank 1.
AlgorithmText first_rank(int send = 1, int receive = 1) {
    AlgorithmText text{"allreduce", 2, 2};
    text.gpu(2, 2).block(send, receive);
    return text;
}

TEST(MscclAlgorithm, HasRanksBlocksAndSteps) {
    const Algorithm algorithm = parse_algorithm(test::pair_all_reduce(), "a.xml");
    EXPECT_EQ(algorithm.name, "hand");
    EXPECT_EQ(algorithm.collective, "allreduce");
    EXPECT_EQ(algorithm.chunks_per_loop, 2);
    EXPECT_TRUE(algorithm.in_place);
    ASSERT_EQ(algorithm.ranks.size(), 2U);
    const ThreadBlock& block = algorithm.ranks[1].blocks.at(0);
    EXPECT_EQ(block.send_peer, 0);
    ASSERT_EQ(block.steps.size(), 3U);
    EXPECT_EQ(block.steps[0].source.first, 0);
    EXPECT_TRUE(block.steps[1].receives() && block.steps[1].reduces() && block.steps[1].sends());
    EXPECT_FALSE(block.steps[2].sends() || block.steps[2].reads_source());
    EXPECT_EQ(algorithm.place(1, 0, 2), "'a.xml': line 13: rank 1, block 0, step 2");
}

TEST(MscclAlgorithm, RefusesWhatIsNone) {
    const auto error = [](const std::string& text) {
        return dse::test::error_message([&] { parse_algorithm(text, "a.xml"); });
    };
    EXPECT_THAT(error("<graph/>"), HasSubstr("<graph>, where MSCCL has <algo>"));
    EXPECT_THAT(error(R"(<algo nchunksperloop="0"/>)"), HasSubstr("between 1 and"));
    EXPECT_THAT(error(R"(<algo nchunksperloop="1"/>)"), HasSubstr("an algorithm of 0 ranks"));
    EXPECT_THAT(error(R"(<algo nchunksperloop="1" ngpus="3"><gpu/><gpu/></algo>)"), HasSubstr("ngpus"));
    EXPECT_THAT(error(R"(<algo nchunksperloop="1"><gpu/><gpu/></algo>)"), HasSubstr("<gpu> has no id"));

    EXPECT_THAT(error_of(AlgorithmText{"allreduce", 2, 2}.gpu(4194304, 1).gpu(1, 1)),
                HasSubstr("more than 4194304 chunks in all"));
    AlgorithmText long_one{"allreduce", 2, 2};
    long_one.gpu(4000000, 1).block(1, -1);
    for (int step = 0; step < 17; ++step) long_one.step("s", "i0", "i0", 4000000);
    EXPECT_THAT(error_of(long_one.gpu(1, 1)), HasSubstr("more than 67108864 chunks are moved"));
    EXPECT_THAT(error_of(first_rank(0).gpu(2, 2)), HasSubstr("rank 0 is its own peer"));
    EXPECT_THAT(error_of(first_rank(2).gpu(2, 2)), HasSubstr("send=\"2\""));
    EXPECT_THAT(error_of(first_rank().block(1, -1).gpu(2, 2)),
                HasSubstr("another block of this rank sends to"));
    EXPECT_THAT(error_of(first_rank().step("x", "i0", "i0").gpu(2, 2)), HasSubstr("expected nop, s, r"));
    EXPECT_THAT(error_of(first_rank(-1).step("s", "i0", "i0").gpu(2, 2)), HasSubstr("no peer to send to"));
    EXPECT_THAT(error_of(first_rank(1, -1).step("r", "i0", "i0").gpu(2, 2)),
                HasSubstr("no peer to receive from"));
    EXPECT_THAT(error_of(first_rank().step("s", "i1", "i0", 2).gpu(2, 2)),
                HasSubstr("line 4: chunks 1 to 2 of buffer i, which has 2"));
    EXPECT_THAT(error_of(first_rank().step("s", "x1", "i0").gpu(2, 2)), HasSubstr("expected i, o or s"));
    EXPECT_THAT(error_of(first_rank().step("s", "i0", "i0", 1, 0, 7).gpu(2, 2)),
                HasSubstr("step 7 of block 0, which does not exist"));
}

}  // namespace
}  // namespace dse::trace::msccl
