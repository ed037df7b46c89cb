#include "dse/sim/replay/node_times.hpp"

#include <gmock/gmock.h>

#include "dse/base/error.hpp"
#include "sim/replay/small_machine.hpp"
#include "support/hand_trace.hpp"

namespace dse::sim::replay {
namespace {

using test::HandTrace;
using trace::chakra::CommType;
using trace::chakra::NodeIndex;
using trace::chakra::TraceStep;

class NodeTimesTest : public testing::Test {
  protected:
    NodeTimes times(KernelTimes kernels = KernelTimes::recorded_first) {
        return NodeTimes{cluster_, network_, 8, kernels};
    }
    hardware::ClusterSpec cluster_{small_cluster()};
    PlainNetwork network_;
};

TEST_F(NodeTimesTest, of_kernels_come_from_where_they_are_told_to) {
    HandTrace hand;
    hand.recorded(0, 5).compute(1, 2'000'000, 1'000'000).compute(2, 1'000'000, 3'000'000);
    const auto rank = hand.build();
    const auto step = [&](std::size_t i) -> const TraceStep& { return rank.trace->step(NodeIndex{i}); };
    EXPECT_DOUBLE_EQ(times().compute(step(0)).value(), 5e-6);
    EXPECT_DOUBLE_EQ(times().compute(step(1)).value(), 2e-6) << "operations";
    EXPECT_DOUBLE_EQ(times().compute(step(2)).value(), 3e-6) << "bytes";
    EXPECT_THROW(static_cast<void>(times(KernelTimes::recorded).compute(step(1))), ModelError);
    EXPECT_THROW(static_cast<void>(times(KernelTimes::roofline).compute(step(0))), ModelError);
    cluster_.device.kernel_latency = Seconds{1e-6};
    EXPECT_DOUBLE_EQ(times(KernelTimes::roofline).compute(step(1)).value(), 3e-6);
}

TEST_F(NodeTimesTest, of_copies_follow_the_path_to_the_host) {
    HandTrace hand;
    hand.load(0, 1'000'000);
    const auto rank = hand.build();
    EXPECT_DOUBLE_EQ(times().copy(rank.trace->step(NodeIndex{0})).value(), 1e-4);
    cluster_.host.bandwidth = {};
    EXPECT_THROW(static_cast<void>(times().copy(rank.trace->step(NodeIndex{0}))), ModelError);
}

TEST_F(NodeTimesTest, of_collectives_ask_the_network_for_the_full_buffer) {
    NodeTimes times = this->times();
    const std::vector<std::int64_t> pairs{0, 1, 4, 5};
    EXPECT_DOUBLE_EQ(times.collective(CommType::all_reduce, 1000, pairs).value(), 1e-6);
    EXPECT_EQ(network_.last_degree, 4);
    EXPECT_DOUBLE_EQ(times.collective(CommType::all_gather, 1000, pairs).value(), 4e-6)
        << "traces say what one rank brings";
    EXPECT_EQ(network_.last_kind, graph::CollectiveKind::all_gather);
    EXPECT_DOUBLE_EQ(times.collective(CommType::barrier, 0, pairs).value(), 4e-9);
    EXPECT_DOUBLE_EQ(times.collective(CommType::all_reduce, 1000, std::vector<std::int64_t>{3}).value(), 0.0);
}

TEST_F(NodeTimesTest, say_what_they_do_not_know) {
    NodeTimes times = this->times();
    EXPECT_DOUBLE_EQ(times.collective(CommType::all_reduce, 1000, std::vector<std::int64_t>{1, 6}).value(),
                     1e-6)
        << "any two ranks can exchange messages";
    EXPECT_DOUBLE_EQ(times.collective(CommType::all_reduce, 1000, std::vector<std::int64_t>{0, 1, 3}).value(),
                     1e-6)
        << "a group without a pattern is the network's to refuse";
    EXPECT_THROW(static_cast<void>(times.collective(CommType::gather, 1000, std::vector<std::int64_t>{0, 1})),
                 ModelError);
}

}  // namespace
}  // namespace dse::sim::replay
