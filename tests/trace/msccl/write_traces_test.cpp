#include "dse/trace/msccl/write_traces.hpp"

#include <gtest/gtest.h>

#include "algorithm_text.hpp"
#include "dse/base/error.hpp"
#include "dse/trace/chakra/trace_set.hpp"
#include "support/temporary_folder.hpp"

namespace dse::trace::msccl {
namespace {

using chakra::NodeIndex;
using chakra::NodeType;

TEST(MscclTraces, SayWhatEachRankSendsReceivesAndAdds) {
    const Algorithm algorithm = parse_algorithm(test::pair_all_reduce(), "a.xml");
    const dse::test::TemporaryFolder folder;
    // Of 1,001 bytes, a chunk of two has 501.
    EXPECT_EQ(chunk_bytes(algorithm, 1001), 501);
    EXPECT_EQ(write_traces(algorithm, run_algorithm(algorithm), 1001, SendEnd::departure, folder.path("t"),
                           Existing::refuse),
              10U);
    const chakra::TraceSet set = chakra::read_traces({folder.path("t.0.et"), folder.path("t.1.et")});
    const chakra::RankTrace& rank = set.ranks[0];
    const chakra::Trace& trace = *rank.trace;
    // Send; receive, add, send; receive.
    const NodeType types[] = {NodeType::comm_send, NodeType::comm_recv, NodeType::comp, NodeType::comm_send,
                              NodeType::comm_recv};
    ASSERT_EQ(trace.size(), 5U);
    for (std::size_t n = 0; n < trace.size(); ++n) EXPECT_EQ(trace.step(NodeIndex{n}).type, types[n]) << n;
    EXPECT_EQ(trace.communication(NodeIndex{0}).size, 501);
    EXPECT_EQ(trace.step(NodeIndex{2}).tensor_size, 3 * 501);
    // The receive does not wait until what the step before it sent has arrived.
    EXPECT_TRUE(trace.data(NodeIndex{1}).empty());
    EXPECT_EQ(trace.data(NodeIndex{2}).front(), NodeIndex{1});
    EXPECT_EQ(trace.data(NodeIndex{3}).front(), NodeIndex{2});
    EXPECT_EQ(trace.data(NodeIndex{4}).front(), NodeIndex{2});
    // The two messages in each direction have tags of their own, equal at both ends.
    const chakra::RankTrace& other = set.ranks[1];
    const auto tag = [](const chakra::RankTrace& of, std::size_t node) {
        return of.tag(of.trace->communication(NodeIndex{node}));
    };
    EXPECT_EQ(tag(rank, 0), tag(other, 1));
    EXPECT_EQ(tag(rank, 3), tag(other, 4));
    EXPECT_NE(tag(rank, 0), tag(rank, 3));
}

TEST(MscclTraces, StepsCanWaitUntilMessagesHaveArrived) {
    const Algorithm algorithm = parse_algorithm(test::pair_all_reduce(), "a.xml");
    const dse::test::TemporaryFolder folder;
    write_traces(algorithm, run_algorithm(algorithm), 8, SendEnd::arrival, folder.path("t"),
                 Existing::refuse);
    const chakra::TraceSet set = chakra::read_traces({folder.path("t.0.et")});
    const chakra::Trace& trace = *set.ranks[0].trace;
    // Receives wait for the sends before them.
    EXPECT_EQ(trace.data(NodeIndex{1}).front(), NodeIndex{0});
    EXPECT_EQ(trace.data(NodeIndex{4}).front(), NodeIndex{3});
}

TEST(MscclTraces, ARankWithoutStepsIsRefused) {
    test::AlgorithmText text{"allreduce", 2, 1};
    text.gpu(1, 1).block(-1, -1).step("cpy", "i0", "o0").gpu(1, 1);
    const Algorithm algorithm = parse_algorithm(text.text(), "a.xml");
    const dse::test::TemporaryFolder folder;
    EXPECT_THROW(write_traces(algorithm, run_algorithm(algorithm), 8, SendEnd::departure, folder.path("t"),
                              Existing::refuse),
                 InputError);
}

}  // namespace
}  // namespace dse::trace::msccl
