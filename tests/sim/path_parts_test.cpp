#include "dse/sim/path_parts.hpp"

#include <gtest/gtest.h>

#include "dse/sim/engine.hpp"
#include "support/small_graph.hpp"

namespace dse::sim {
namespace {

using graph::MeshAxis;
using graph::ScheduleKind;
using graph::ValueRef;
using test::SmallGraph;

constexpr auto gemm = static_cast<std::size_t>(graph::OpClass::gemm);

graph::Work kernel() {
    graph::Compute compute;
    compute.op_class = graph::OpClass::gemm;
    return compute;
}

Waits waits_of(const std::vector<Waits::Stretch>& stretches) {
    Waits waits;
    for (const Waits::Stretch& stretch : stretches) Waits::Backwards{&waits}.add(stretch.from, stretch.until);
    return waits;
}

// Stage 0 is the busiest and waits 2–4 and 6–7. A kernel elsewhere, 1–8: five of its seconds pass while stage
// 0 has something to do.
TEST(PathLedger, CountsAsBubbleWhatPassesElsewhereWhileTheBusiestWaits) {
    const Waits waits = waits_of({{2, 4}, {6, 7}});
    PathLedger ledger{0, waits, 0};
    ledger.charge(kernel(), {1, 1}, 1, 8);
    EXPECT_EQ(ledger.parts().bubble.compute[gemm], 3.0);
    EXPECT_EQ(ledger.parts().busy.compute[gemm], 4.0);
}

TEST(PathLedger, TakesStretchesThatEndAndBeginInsideWaits) {
    const Waits waits = waits_of({{0, 4}, {6, 10}});
    PathLedger ledger{0, waits, 0};
    ledger.charge(kernel(), {1, 1}, 8, 9);
    ledger.charge(graph::Collective{{}, MeshAxis::tensor, {}, 1.0}, {2, 2}, 3, 8);
    ledger.charge(kernel(), {1, 1}, 1, 3);
    EXPECT_EQ(ledger.parts().bubble.compute[gemm], 3.0);
    EXPECT_EQ(ledger.parts().bubble.communication_time(), 3.0);
    EXPECT_EQ(ledger.parts().busy.communication_time(), 2.0);
    EXPECT_EQ(ledger.parts().sum(), 8.0);
}

TEST(PathLedger, KnowsNoBubbleInTheBusiestStageAndOnItsMessages) {
    const Waits waits = waits_of({{0, 10}});
    PathLedger ledger{1, waits, 0};
    ledger.charge(kernel(), {1, 1}, 6, 8);
    ledger.charge(graph::Transfer{}, {0, 1}, 4, 6);
    ledger.charge(graph::Transfer{}, {1, 2}, 3, 4);
    ledger.charge(graph::Transfer{}, {2, 3}, 1, 3);
    EXPECT_EQ(ledger.parts().busy.compute_time(), 2.0);
    EXPECT_EQ(ledger.parts().busy.message, 3.0);
    EXPECT_EQ(ledger.parts().bubble.message, 2.0);
}

/// Hands out waits one at a time, and counts how often it was asked.
class OneByOne final : public EarlierWaits {
  public:
    explicit OneByOne(std::vector<Waits::Stretch> waits) : waits_{std::move(waits)}, left_{waits_} {}

    std::span<const Waits::Stretch> before(double end, double start) override {
        ++asked;
        while (!left_.empty() && left_.back().from >= end) left_ = left_.first(left_.size() - 1);
        if (left_.empty() || left_.back().until <= start) return {};
        const std::span<const Waits::Stretch> last = left_.last(1);
        left_ = left_.first(left_.size() - 1);
        return last;
    }
    int asked{0};

  private:
    std::vector<Waits::Stretch> waits_;
    std::span<const Waits::Stretch> left_;
};

// The same as with all waits at once, which is 2–4, 6–7 and 9–10; nobody asks for what the busiest stage
// does.
TEST(PathLedger, AsksForEarlierWaitsWhereThePathIsElsewhere) {
    OneByOne waits{{{2, 4}, {6, 7}, {9, 10}}};
    PathLedger ledger{0, waits, 0};
    ledger.charge(kernel(), {0, 0}, 8, 20);
    EXPECT_EQ(waits.asked, 0);
    ledger.charge(kernel(), {1, 1}, 3, 8);
    EXPECT_EQ(ledger.parts().bubble.compute[gemm], 2.0);
    Parts run;
    run.charge_run(kernel(), 1);
    EXPECT_TRUE(ledger.charge_whole(run, {1, 1}, 2, 3));
    EXPECT_TRUE(ledger.charge_whole(run, {1, 1}, 1, 2));
    EXPECT_EQ(ledger.parts().bubble.compute[gemm], 3.0);
    EXPECT_EQ(ledger.parts().busy.compute[gemm], 12.0 + 3.0 + 1.0);
}

TEST(PathLedger, LeavesOutWhatLiesBeforeTheWindow) {
    const Waits waits = waits_of({{0, 4}});
    PathLedger ledger{0, waits, 3};
    ledger.charge(kernel(), {1, 1}, 2, 6);
    ledger.charge(kernel(), {0, 0}, 0, 2);
    EXPECT_EQ(ledger.parts().bubble.sum(), 1.0);
    EXPECT_EQ(ledger.parts().busy.sum(), 2.0);
}

TEST(PathLedger, ChargesSeveralWorksAtOnceIfTheyAreOfOneAccount) {
    Parts run;
    run.charge_run(kernel(), 2);
    const Waits waits = waits_of({{2, 6}});
    PathLedger ledger{0, waits, 1};
    EXPECT_TRUE(ledger.charge_whole(run, {1, 1}, 6, 8));
    EXPECT_FALSE(ledger.charge_whole(run, {1, 1}, 5, 7)) << "one second of it is bubble";
    EXPECT_TRUE(ledger.charge_whole(run, {1, 1}, 3, 5));
    EXPECT_TRUE(ledger.charge_whole(run, {0, 0}, 2, 4)) << "in the busiest stage";
    EXPECT_FALSE(ledger.charge_whole(run, {0, 0}, 0, 2)) << "begins before the window";
    EXPECT_EQ(ledger.parts().busy.compute[gemm], 4.0);
    EXPECT_EQ(ledger.parts().bubble.compute[gemm], 2.0);
}

// Two stages, two microbatches, F = 1, B = 2, messages 0.25; on stage 1 experts exchange for 3 before each F:
//   stage 0: F0 0–1, F1 1–2,                                               B0 7.5–9.5, B1 10.5–12.5
//   stage 1: exchange 1.25–4.25, F0 –5.25, B0 –7.25, F1 –8.25, B1 –10.25   (second exchange 4.25–7.25)
// Stage 1 is the busiest. The path is F0 of stage 0, its message, all that stage 1 does, the last message, B1
// of stage 0, and the barrier of 0.5. Stage 0, which ends last, waits for 8 of these 13 s and sees no
// exchange at all.
class TwoStages : public ::testing::TestWithParam<std::string> {
  protected:
    TwoStages() : made_{2} {
        made_.pipeline(ScheduleKind::one_f_one_b, 2, 2);
        const graph::RegionId backward = made_.pass(2);
        made_.program(made_.pass(1), backward);
        const graph::RegionId forward =
            made_.region(1,
                         {SmallGraph::node(made_.collective(MeshAxis::expert, 3), {ValueRef::port(0)}, 1),
                          SmallGraph::node(made_.kernel(1), {ValueRef::item(0)})},
                         {ValueRef::item(1)});
        made_.program(forward, backward);
        made_.graph.program_of = {0, 1};
        made_.finish(0.25, 0, 0.5);
    }
    SmallGraph made_;
    std::unique_ptr<Engine> engine_ = engines().find(GetParam())();
};

INSTANTIATE_TEST_SUITE_P(Engines, TwoStages, ::testing::Values("folded", "event"),
                         [](const auto& engine) { return engine.param; });

TEST_P(TwoStages, ChargeTheExchangeThatThePathWaitsFor) {
    const Result result = engine_->play(made_.graph, made_.durations);
    EXPECT_EQ(result.iteration_time, 13.0);
    EXPECT_EQ(result.last_stage, 0U);
    ASSERT_TRUE(result.parts);
    EXPECT_EQ(result.parts->busiest_stage, 1U);
    EXPECT_EQ(result.parts->busy.compute[gemm], 6.0);
    EXPECT_EQ(result.parts->busy.communication[graph::group_index(MeshAxis::expert)], 3.0);
    EXPECT_EQ(result.parts->busy.message, 0.5);
    EXPECT_EQ(result.parts->busy.communication[graph::group_index(MeshAxis::data)], 0.5) << "the barrier";
    EXPECT_EQ(result.parts->bubble.compute[gemm], 3.0);
    EXPECT_EQ(result.parts->bubble.sum(), 3.0);
    EXPECT_EQ(result.parts->sum(), 13.0);
}

TEST_P(TwoStages, HavePartsOfTheirOwn) {
    const Result result = engine_->play(made_.graph, made_.durations);
    ASSERT_EQ(result.stages.size(), 2U);
    EXPECT_EQ(result.stages[0].compute_time(), 6.0);
    EXPECT_EQ(result.stages[0].communication[graph::group_index(MeshAxis::expert)], 0.0);
    EXPECT_EQ(result.stages[0].message, 0.5);
    EXPECT_EQ(result.stages[0].bubble, 6.0);
    EXPECT_EQ(result.stages[1].communication[graph::group_index(MeshAxis::expert)], 3.0);
    EXPECT_EQ(result.stages[1].bubble, 1.0 + 2.0);
    EXPECT_EQ(result.stages[1].message, 0.25 + 0.25);
    for (const Parts& stage : result.stages) EXPECT_EQ(stage.sum(), 13.0);
}

TEST_P(TwoStages, CountWhatLiesInTheWindow) {
    const Result result = engine_->play(made_.graph, made_.durations, {Asked::For::parts, 9.25});
    EXPECT_EQ(result.parts->busy.compute_time(), 1.0);
    EXPECT_EQ(result.parts->busy.message, 0.25);
    EXPECT_EQ(result.parts->bubble.compute_time(), 2.0);
    EXPECT_EQ(result.parts->sum(), 13.0 - 9.25);
}

TEST_P(TwoStages, HaveNoPartsUnasked) {
    const Result result = engine_->play(made_.graph, made_.durations, {Asked::For::time});
    EXPECT_EQ(result.iteration_time, 13.0);
    EXPECT_FALSE(result.parts);
    EXPECT_TRUE(result.stages.empty());
}

}  // namespace
}  // namespace dse::sim
