// Weight gradients as tasks of their own against 1F1B on the same layouts: the same work and, where a stage
// has one chunk (ZB-H1), the same messages; and no memory that is never given back.
#include <gtest/gtest.h>

#include "dse/graph/totals.hpp"
#include "dse/sim/engine.hpp"
#include "small_models.hpp"

namespace dse {
namespace {

using graph::Recompute;
using graph::ScheduleKind;

struct Made {
    graph::Totals totals;
    sim::MemoryPeak memory;
    double messages{0};  ///< between stages, of one iteration and data-parallel rank
};

double count_messages(const graph::PipelineSchedule& schedule) {
    double count = 0;
    for (std::uint32_t stage = 0; stage < schedule.stages; ++stage) {
        for (const graph::Task& task : schedule.tasks[stage]) {
            const bool sent = destination_of(task, stage, schedule).kind == graph::Peer::Kind::stage;
            count += sent ? 1 : 0;
        }
    }
    return count;
}

class SplitBackward : public testing::TestWithParam<std::string> {
  protected:
    Made make(graph::WorkloadSpec spec, ScheduleKind schedule, std::int64_t global_batch) {
        spec.layout.schedule = schedule;
        spec.global_batch = global_batch;
        const graph::Graph& graph = frontend_.build(spec, graph::resolve(spec.layout, 16, spec.global_batch));
        graph::validate(graph);
        graph::TotalsCounter counter;
        counter.read(graph);
        return {counter.all(graph), sim::engines().find("folded")()->peak_memory(graph),
                count_messages(graph.schedule)};
    }

    graph::WorkloadSpec spec(std::int64_t zero, Recompute recompute) {
        graph::WorkloadSpec spec;
        spec.model = GetParam();
        spec.sequence = 16;
        spec.layout.tp = 2;
        spec.layout.pp = 4;
        spec.stack.zero = zero;
        spec.stack.recompute = recompute;
        return spec;
    }

  private:
    test::SmallModels models_;
    frontend::TemplateFrontend frontend_ = models_.frontend();
};

TEST_P(SplitBackward, DoesTheSameWork) {
    for (const std::int64_t zero : {0, 1, 2, 3}) {
        for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
            const Made whole = make(spec(zero, recompute), ScheduleKind::one_f_one_b, 32);
            const Made split = make(spec(zero, recompute), ScheduleKind::zb_h1, 32);
            EXPECT_EQ(split.totals.model_flop, whole.totals.model_flop);
            EXPECT_EQ(split.totals.executed_flop, whole.totals.executed_flop);
            // An embedding's weight gradient needs no parameters, so that ZeRO-3 does not gather them for it.
            if (zero == 3) {
                EXPECT_LT(split.totals.sent, whole.totals.sent);
            } else {
                EXPECT_DOUBLE_EQ(split.totals.sent.value(), whole.totals.sent.value());
            }
            EXPECT_DOUBLE_EQ(split.totals.memory_traffic.value(), whole.totals.memory_traffic.value());
            EXPECT_DOUBLE_EQ(split.totals.kernels, whole.totals.kernels);
        }
    }
}

// A V has a boundary more a stage, of which the one at the turn needs no message: of 2p − 1 boundaries of
// 8 pieces on 4 stages, 6 are sent over instead of 3.
TEST_P(SplitBackward, SendsTwiceAsManyMessagesOverAV) {
    const Made line = make(spec(0, Recompute::none), ScheduleKind::one_f_one_b, 32);
    const Made v = make(spec(0, Recompute::none), ScheduleKind::zb_v, 32);
    EXPECT_EQ(v.totals.model_flop, line.totals.model_flop);
    EXPECT_EQ(v.totals.executed_flop, line.totals.executed_flop);
    EXPECT_DOUBLE_EQ(v.messages, 2 * line.messages);
}

// Two copies of the model do the work of one, each for half of the microbatches; a message more or less there
// is not. The optimizer steps for both.
TEST_P(SplitBackward, SharesTheWorkBetweenTwoCopies) {
    for (const std::int64_t zero : {0, 1, 2, 3}) {
        for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
            const Made one = make(spec(zero, recompute), ScheduleKind::one_f_one_b, 32);
            const Made two = make(spec(zero, recompute), ScheduleKind::dualpipe, 32);
            EXPECT_DOUBLE_EQ(two.totals.model_flop.value(), one.totals.model_flop.value());
            EXPECT_DOUBLE_EQ(two.totals.executed_flop.value(), one.totals.executed_flop.value());
            EXPECT_DOUBLE_EQ(two.messages, one.messages);
        }
    }
}

// At most as many microbatches are under way as there are stages, however many there are: what a task leaves
// behind would add up.
TEST_P(SplitBackward, GivesAllMemoryBack) {
    for (const std::int64_t zero : {0, 2, 3}) {
        for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
            for (const ScheduleKind kind :
                 {ScheduleKind::zb_h1, ScheduleKind::zb_v, ScheduleKind::dualpipe}) {
                const Made few = make(spec(zero, recompute), kind, 32);
                const Made many = make(spec(zero, recompute), kind, 256);
                EXPECT_EQ(few.memory, many.memory) << "zero " << zero;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Small, SplitBackward, testing::Values("small_llama", "small_gpt", "small_moe"),
                         [](const auto& made) { return made.param; });

}  // namespace
}  // namespace dse
