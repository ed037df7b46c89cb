#include "dse/eval/durations.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/small_graph.hpp"

namespace dse::eval {
namespace {

using graph::AxisSet;
using graph::MeshAxis;

/// A kernel takes a second a FLOP; negative ones are refused.
class SecondsPerFlop final : public model::ComputeModel {
  public:
    Seconds time(const graph::Compute& work) const override {
        if (work.executed_flop.value() < 0.0) throw ModelError("no such kernel");
        return Seconds{work.executed_flop.value()};
    }
};

/// A collective takes a second a byte; a message one a byte and stage that it goes from.
class SecondsPerByte final : public model::NetworkModel {
  public:
    Seconds time(const model::Communication& what) const override {
        const auto* pair = std::get_if<model::StagePairs>(&what.devices);
        if (pair == nullptr) return Seconds{what.size.value()};
        return Seconds{what.size.value() + 10.0 * static_cast<double>(pair->from) +
                       100.0 * static_cast<double>(pair->to)};
    }
};

/// The same, for traces that hold kernels of whole half seconds.
class HalfSecondKernels final : public model::NetworkModel {
  public:
    HalfSecondKernels() : NetworkModel{{.kernel_tick = Seconds{0.5}}} {}
    Seconds time(const model::Communication&) const override { return {}; }
};

class FillDurationsTest : public testing::Test {
  protected:
    FillDurationsTest() {
        machine_.compute = std::make_unique<SecondsPerFlop>();
        machine_.network = std::make_unique<SecondsPerByte>();
        cluster_.host.launch_time = Seconds{0.25};
        cluster_.host.bandwidth = BytesPerSecond{2.0};
        graph_.program_of = {0};
        graph_.barrier = add(graph::Collective{graph::CollectiveKind::all_reduce,
                                               AxisSet{MeshAxis::data} | MeshAxis::tensor, Bytes{3}, 1.0});
    }

    graph::WorkId add(const graph::Work& work) {
        graph_.works.push_back(work);
        return graph::WorkId{graph_.works.size() - 1};
    }

    const sim::NodeTime& time(graph::WorkId work) {
        fill_durations(graph_, machine_, cluster_, durations_);
        return durations_.of_work[work.index()];
    }

    static graph::Collective collective(AxisSet axes, double exposed) {
        return {graph::CollectiveKind::all_gather, axes, Bytes{8}, exposed};
    }

    graph::Graph graph_;
    Machine machine_;
    hardware::ClusterSpec cluster_;
    sim::Durations durations_;
};

/// Ranks come to a tensor-parallel collective at different times, and wait for the last: of four, with delays
/// of a second on average (exponential), 1/2 + 1/3 + 1/4 s.
TEST_F(FillDurationsTest, WaitsForTheLastRankOfATensorParallelCollective) {
    graph_.mesh.set_degree(MeshAxis::tensor, 4);
    const graph::WorkId tensor = add(collective(MeshAxis::tensor, 1.0));
    const graph::WorkId data = add(collective(MeshAxis::data, 1.0));
    cluster_.host.skew = Seconds{1.0};
    EXPECT_NEAR(time(tensor).duration, 8.0 + 13.0 / 12.0, 1e-9);
    EXPECT_DOUBLE_EQ(time(data).duration, 8.0);
}

/// A reduce-scatter and the gather soon after it wait as the all-reduce that they replace: once.
TEST_F(FillDurationsTest, WaitsOnceForAReduceScatterAndTheGatherBehindIt) {
    graph_.mesh.set_degree(MeshAxis::tensor, 4);
    graph::Collective part = collective(MeshAxis::tensor, 1.0);
    part.kind = graph::CollectiveKind::reduce_scatter;
    const graph::WorkId scatter = add(part);
    part.kind = graph::CollectiveKind::all_gather;
    const graph::WorkId gather = add(part);
    cluster_.host.skew = Seconds{1.0};
    EXPECT_DOUBLE_EQ(time(scatter).duration, 8.0);
    EXPECT_NEAR(time(gather).duration, 8.0 + 13.0 / 12.0, 1e-9);
}

TEST_F(FillDurationsTest, KernelsAreAsTheNetworksTracesHoldThem) {
    machine_.network = std::make_unique<HalfSecondKernels>();
    const auto kernel = [&](double seconds) {
        graph::Compute compute;
        compute.executed_flop = Flop{seconds};
        return time(add(compute)).duration;
    };
    EXPECT_EQ(kernel(1.7), 1.5);
    EXPECT_EQ(kernel(1.8), 2.0);
    EXPECT_EQ(kernel(0.1), 0.5) << "never nothing";
    // So are launches, of which each takes 0.25 s; markers are none.
    EXPECT_EQ(time(add(graph::Launch{7})).duration, 2.0);
    EXPECT_EQ(time(add(graph::Launch{0})).duration, 0.0);
}

TEST_F(FillDurationsTest, TakesWhatNoNetworkIsInvolvedInFromOthers) {
    const graph::WorkId kernel = add(graph::Compute{});
    const graph::WorkId gather = add(collective(MeshAxis::tensor, 1.0));
    fill_durations(graph_, machine_, cluster_, durations_);
    sim::Durations like = durations_;
    like.of_work[kernel.index()].duration += 1.0;
    like.of_work[gather.index()].duration += 1.0;
    sim::Durations taken;
    fill_durations(graph_, machine_, cluster_, taken, &like);
    EXPECT_EQ(taken.of_work[kernel.index()], like.of_work[kernel.index()]);
    EXPECT_EQ(taken.of_work[gather.index()], durations_.of_work[gather.index()]);
}

/// The same with one queue for everything.
class OneQueue final : public model::NetworkModel {
  public:
    OneQueue() : NetworkModel{{.one_queue = true}} {}
    Seconds time(const model::Communication& what) const override {
        return Seconds{what.collective ? 8.0 : 2.0};
    }
};

// Neither shares that are hidden nor kernels that are slower beside something: all waits are for the whole.
TEST_F(FillDurationsTest, WhereThereIsOneQueueOneWaitsForTheWhole) {
    machine_.network = std::make_unique<OneQueue>();
    cluster_.device.overlap.compute_slowdown = 4.0 / 3.0;
    for (const MeshAxis axis : {MeshAxis::tensor, MeshAxis::data}) {
        const sim::NodeTime whole = time(add(collective(axis, 0.25)));
        EXPECT_EQ(whole.duration, 8.0);
        EXPECT_EQ(whole.visible, 8.0);
        EXPECT_EQ(whole.hold, 0.0);
        EXPECT_EQ(time(add(collective(axis, 0.0))).lost, 0.0);
    }
    EXPECT_EQ(time(add(graph::Copy{Bytes{8}})).lost, 0.0);
    graph_.program_of = {0, 0};
    graph_.send_forward = add(graph::Transfer{Bytes{4}, 0.5});
    graph_.send_backward = graph_.send_forward;
    fill_durations(graph_, machine_, cluster_, durations_);
    EXPECT_EQ(durations_.forward[0].hold, 0.0);
}

TEST_F(FillDurationsTest, KernelsLaunchesAndCopies) {
    graph::Compute kernel;
    kernel.executed_flop = Flop{2};
    const auto compute = add(kernel);
    const auto launch = add(graph::Launch{6});
    const auto copy = add(graph::Copy{Bytes{5}});
    EXPECT_EQ(time(compute).duration, 2.0);
    EXPECT_EQ(time(compute).visible, 2.0);
    EXPECT_EQ(time(compute).hold, 0.0);
    EXPECT_EQ(time(launch).duration, 6 * 0.25);
    EXPECT_EQ(time(copy).duration, 2.5);
}

/// Over tp, cp and ep the consumer sees the result after the exposed share.
TEST_F(FillDurationsTest, ExposedShareOfTensorCommunicationIsWhenItIsSeen) {
    for (const MeshAxis axis : {MeshAxis::tensor, MeshAxis::context, MeshAxis::expert}) {
        const auto work = add(collective(axis, 0.25));
        EXPECT_EQ(time(work).duration, 8.0);
        EXPECT_EQ(time(work).visible, 2.0);
        EXPECT_EQ(time(work).hold, 0.0);
    }
}

/// Over dp it keeps the compute stream busy, and is there when it is done.
TEST_F(FillDurationsTest, ExposedShareOfDataCommunicationHoldsTheDevice) {
    for (const AxisSet axes :
         {AxisSet{MeshAxis::data}, AxisSet{MeshAxis::pipeline}, MeshAxis::data | AxisSet{MeshAxis::tensor}}) {
        const auto work = add(collective(axes, 0.25));
        EXPECT_EQ(time(work).duration, 8.0);
        EXPECT_EQ(time(work).visible, 8.0);
        EXPECT_EQ(time(work).hold, 2.0);
    }
}

// Kernels beside it take 4/3 of their time: they lose 1 − 3/4 = 1/4 of a collective of 8 s.
TEST_F(FillDurationsTest, CollectivesTakeTimeFromKernelsAndCopiesDoNot) {
    cluster_.device.overlap.compute_slowdown = 4.0 / 3.0;
    const auto reduce = add(collective(MeshAxis::data, 0.0));
    const auto gather = add(collective(MeshAxis::tensor, 0.0));
    const auto copy = add(graph::Copy{Bytes{8}});  // 4 s at 2 B/s
    EXPECT_DOUBLE_EQ(time(reduce).lost, 2.0);
    EXPECT_EQ(time(reduce).hold, 0.0);
    EXPECT_DOUBLE_EQ(time(gather).lost, 2.0);
    EXPECT_EQ(time(gather).visible, 0.0);
    EXPECT_EQ(time(copy).duration, 4.0);
    EXPECT_EQ(time(copy).lost, 0.0);
    EXPECT_EQ(time(copy).hold, 0.0);
    EXPECT_EQ(durations_.compute_slowdown, 1.0);
}

// A share that a measured step exposed has in it what its kernels lost; beside what is waited for, none run.
TEST_F(FillDurationsTest, ExposedSharesHaveLossesInThem) {
    cluster_.device.overlap.compute_slowdown = 4.0 / 3.0;
    const auto measured = [&](MeshAxis axis, double exposed) {
        graph::Collective one = collective(axis, exposed);
        one.slows_kernels = false;
        return add(one);
    };
    const auto reduce = measured(MeshAxis::data, 0.25);
    const auto gather = measured(MeshAxis::tensor, 0.25);
    const auto shown = add(collective(MeshAxis::tensor, 1.0));
    const auto part = measured(MeshAxis::data, 0.0);
    EXPECT_EQ(time(reduce).hold, 2.0);
    EXPECT_EQ(time(gather).visible, 2.0);
    EXPECT_EQ(time(gather).hold, 0.0);
    for (const graph::WorkId work : {reduce, gather, shown, part}) EXPECT_EQ(time(work).lost, 0.0);
}

/// A quarter of 8 s is waited for; beside the other 6, kernels lose a quarter of the time.
TEST_F(FillDurationsTest, KernelsLoseTimeBesideTheHiddenPart) {
    cluster_.device.overlap.compute_slowdown = 4.0 / 3.0;
    const auto dispatch = add(collective(MeshAxis::expert, 0.25));
    EXPECT_EQ(time(dispatch).visible, 2.0);
    EXPECT_DOUBLE_EQ(time(dispatch).lost, 1.5);
}

TEST_F(FillDurationsTest, WhatIsMeasuredIsLeftToTheEngine) {
    cluster_.device.overlap = {1.5, hardware::OverlapRule::measured};
    const auto reduce = add(collective(MeshAxis::data, 0.25));
    EXPECT_EQ(time(reduce).hold, 2.0);
    EXPECT_EQ(time(add(collective(MeshAxis::data, 0.0))).lost, 0.0);
    EXPECT_EQ(durations_.compute_slowdown, 1.5);
}

TEST_F(FillDurationsTest, TransfersByStageAndTheBarrier) {
    graph_.program_of = {0, 0, 0};
    graph_.send_forward = add(graph::Transfer{Bytes{4}, 0.5});
    graph_.send_backward = add(graph::Transfer{Bytes{6}, 0.0});
    fill_durations(graph_, machine_, cluster_, durations_);
    ASSERT_EQ(durations_.forward.size(), 3U);
    // Stage i sends forward to (i + 1) mod 3, backward to (i + 2) mod 3.
    EXPECT_EQ(durations_.forward[0].duration, 4.0 + 0 + 100);
    EXPECT_EQ(durations_.forward[1].duration, 4.0 + 10 + 200);
    EXPECT_EQ(durations_.forward[2].duration, 4.0 + 20 + 0);
    EXPECT_EQ(durations_.backward[0].duration, 6.0 + 0 + 200);
    EXPECT_EQ(durations_.backward[2].duration, 6.0 + 20 + 100);
    EXPECT_EQ(durations_.forward[1].hold, 107.0);
    EXPECT_EQ(durations_.backward[1].hold, 0.0);
    EXPECT_EQ(durations_.barrier, 3.0);
}

// A V: chunk 0 sends its activations up the stages and their gradients down, chunk 1 the other way round.
TEST_F(FillDurationsTest, TransfersOfBothWays) {
    graph_.program_of = {0, 0, 0};
    graph_.send_forward = add(graph::Transfer{Bytes{4}, 0.5});
    graph_.send_backward = add(graph::Transfer{Bytes{6}, 0.0});
    graph::make_schedule(graph::ScheduleKind::zb_v, 3, 4, 2, graph_.schedule);
    fill_durations(graph_, machine_, cluster_, durations_);
    ASSERT_EQ(durations_.forward.size(), 6U);
    EXPECT_EQ(durations_.forward[1].duration, 4.0 + 10 + 200);
    EXPECT_EQ(durations_.backward[1].duration, 6.0 + 10 + 0);
    EXPECT_EQ(durations_.forward[3 + 1].duration, 4.0 + 10 + 0);
    EXPECT_EQ(durations_.forward[3 + 1].hold, 7.0);
    EXPECT_EQ(durations_.backward[3 + 1].duration, 6.0 + 10 + 200);
}

TEST_F(FillDurationsTest, EverythingIsQuantised) {
    graph::Compute kernel;
    kernel.executed_flop = Flop{0.1};
    const auto compute = add(kernel);
    const auto exposed = add(collective(MeshAxis::tensor, 1.0 / 3.0));
    EXPECT_NE(time(compute).duration, 0.1);
    EXPECT_EQ(time(compute).duration, sim::quantise(0.1));
    EXPECT_EQ(time(exposed).visible, sim::quantise(8.0 / 3.0));
    sim::validate(durations_, graph_);
}

/// The same under a clock of milliseconds.
class TickingNetwork final : public model::NetworkModel {
  public:
    TickingNetwork() : NetworkModel{{.tick = Seconds{1e-3}}} {}
    Seconds time(const model::Communication& what) const override {
        return Seconds{what.collective ? 0.0101 : 0.0};
    }
};

TEST_F(FillDurationsTest, ANetworkWithAClockCutsAllTimesToItsTicks) {
    machine_.network = std::make_unique<TickingNetwork>();
    graph::Compute kernel;
    kernel.executed_flop = Flop{0.0039};
    const auto compute = add(kernel);
    const auto exposed = add(collective(MeshAxis::tensor, 0.25));
    const double tick = 1e-3 / (time(compute), durations_.unit);
    EXPECT_EQ(tick, 0x1p-10);
    EXPECT_EQ(time(compute).duration, 3 * tick);
    EXPECT_EQ(time(exposed).duration, 10 * tick);
    EXPECT_EQ(time(exposed).visible, 2 * tick);
    sim::validate(durations_, graph_);
}

/// The memory of an earlier graph is reused, its numbers are not.
TEST_F(FillDurationsTest, SmallerGraphAfterALargerOne) {
    graph_.program_of = {0, 0, 0};
    graph_.send_forward = graph_.send_backward = add(graph::Transfer{Bytes{4}, 0.5});
    fill_durations(graph_, machine_, cluster_, durations_);
    graph::Graph small;
    small.program_of = {0};
    small.works = {graph::Collective{}};
    small.barrier = small.send_forward = small.send_backward = graph::WorkId{0};
    fill_durations(small, machine_, cluster_, durations_);
    EXPECT_EQ(durations_.of_work.size(), 1U);
    ASSERT_EQ(durations_.forward.size(), 1U);
    EXPECT_EQ(durations_.forward[0].duration, 0.0);
    EXPECT_EQ(durations_.barrier, 0.0);
}

TEST_F(FillDurationsTest, WhatAModelRefusesIsRefused) {
    graph::Compute kernel;
    kernel.executed_flop = Flop{-1};
    add(kernel);
    EXPECT_THROW(fill_durations(graph_, machine_, cluster_, durations_), ModelError);
}

}  // namespace
}  // namespace dse::eval
