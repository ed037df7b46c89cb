#include "dse/sim/fold/stage_waits.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "dse/sim/fold/path_walk.hpp"
#include "dse/sim/fold/played_alone.hpp"
#include "dse/sim/fold/stage_account.hpp"
#include "support/layer_graph.hpp"
#include "support/random_graph.hpp"

namespace dse::sim::fold {
namespace {

using Stretches = std::vector<Waits::Stretch>;

/// Plays one graph after the other with a log, in the same memory.
class Logged {
  public:
    void read(const graph::Graph& graph, const Durations& durations) {
        graph_ = &graph;
        durations_ = &durations;
        end_ = 0;
        table_.reset(graph);
        regions_.reset(graph, {&durations}, table_);
        program_.compile(graph.schedule, durations);
        player_.reset(graph, durations, program_, regions_, table_, &log_);
        jump_.run(player_);
        player_.finish();
        paths_.reset(graph, durations, OperatorView{regions_});
        for (std::uint32_t stage = 0; stage < graph.schedule.stages; ++stage)
            end_ = std::max(end_, player_.last_stream(stage));
    }

    [[nodiscard]] bool can_find(std::uint32_t stage) { return StageWaits::can_find(play(), stage); }

    /// As StageAccount, which plays the whole stage, notes them.
    Stretches noted(std::uint32_t stage) {
        Waits waits;
        account_.play(*graph_, *durations_, stage, table_, MessageView{player_, jump_}, nullptr, &waits);
        Waits::Backwards{&waits}.add(account_.last_stream(), end_);
        return waits.stretches();
    }

    Stretches found(std::uint32_t stage) {
        const LoggedPlay logged = play();
        waits_.start(logged, table_, stage, end_);
        std::vector<Stretches> found;
        double end = end_ + 1;
        while (true) {
            const std::span<const Waits::Stretch> next = waits_.before(end, -1);
            if (next.empty()) break;
            found.emplace_back(next.begin(), next.end());
            end = next.front().from;
        }
        Waits all;
        for (auto waits = found.rbegin(); waits != found.rend(); ++waits) all.append(*waits, 0.0);
        return all.stretches();
    }

    /// The last wait that begins before a time.
    Waits::Stretch last_before(std::uint32_t stage, double time) {
        const LoggedPlay logged = play();
        waits_.start(logged, table_, stage, end_);
        const std::span<const Waits::Stretch> next = waits_.before(time, -1);
        const auto last = std::find_if(next.rbegin(), next.rend(),
                                       [time](const Waits::Stretch& wait) { return wait.from < time; });
        return last == next.rend() ? Waits::Stretch{} : *last;
    }

  private:
    LoggedPlay play() { return {*graph_, *durations_, paths_, played_}; }

    const graph::Graph* graph_{nullptr};
    const Durations* durations_{nullptr};
    RegionTable table_;
    RegionOperators regions_;
    ScheduleProgram program_;
    SchedulePlayer player_;
    TaskLog log_;
    PeriodJump jump_;
    PlayedAlone played_{MessageView{player_, jump_}, log_};
    RegionPaths paths_;
    StageAccount account_;
    StageWaits waits_;
    double end_{0};
};

TEST(StageWaits, AreThoseThatAWholePlayOfTheStageNotes) {
    int compared = 0;
    Logged logged;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        test::TimedGraph made = test::RandomGraph{seed, {4, 3, 12, 4, 5, 2}}.make();
        for (TransferTime& time : made.durations.forward) time.hold = 0;
        for (TransferTime& time : made.durations.backward) time.hold = 0;
        if (!PathWalk::can_follow(made.graph, made.durations)) continue;
        logged.read(made.graph, made.durations);
        for (std::uint32_t stage = 0; stage < made.graph.schedule.stages; ++stage) {
            if (!logged.can_find(stage)) continue;
            EXPECT_EQ(logged.found(stage), logged.noted(stage)) << "stage " << stage;
            ++compared;
        }
        if (::testing::Test::HasFailure()) break;
    }
    EXPECT_GT(compared, 150);
}

TEST(StageWaits, AreFoundInRoundsThatWereLeftOut) {
    Logged logged;
    for (const graph::ScheduleKind kind : {graph::ScheduleKind::gpipe, graph::ScheduleKind::one_f_one_b,
                                           graph::ScheduleKind::interleaved, graph::ScheduleKind::zb_v}) {
        const bool has_two = kind == graph::ScheduleKind::interleaved || kind == graph::ScheduleKind::zb_v;
        const test::LayerGraph made{{4, 64, 3, 1, kind, has_two ? 2U : 1U}};
        logged.read(made.graph, made.durations);
        for (std::uint32_t stage = 0; stage < 4; ++stage) {
            ASSERT_TRUE(logged.can_find(stage));
            EXPECT_EQ(logged.found(stage), logged.noted(stage)) << "stage " << stage;
        }
    }
}

// Whoever asks for a time in the middle gets what is before it: stage 3 waits for its first microbatch first
// of all.
TEST(StageWaits, AreFoundFromWhereSomebodyAsks) {
    const test::LayerGraph made{{4, 64, 3, 1}};
    Logged logged;
    logged.read(made.graph, made.durations);
    const Waits::Stretch first = logged.noted(3).front();
    const Waits::Stretch found = logged.last_before(3, first.from + (first.until - first.from) / 2);
    EXPECT_EQ(found.from, first.from);
}

}  // namespace
}  // namespace dse::sim::fold
