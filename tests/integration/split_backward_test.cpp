// Weight gradients as tasks of their own (ZB-H1) against 1F1B on the same layouts: the same work and the same
// messages, and no memory that is never given back.
#include <gtest/gtest.h>

#include "dse/sim/engine.hpp"
#include "dse/workload/totals.hpp"
#include "small_models.hpp"

namespace dse {
namespace {

using workload::Recompute;
using workload::ScheduleKind;

struct Made {
    workload::Totals totals;
    sim::MemoryPeak memory;
};

class SplitBackward : public testing::TestWithParam<std::string> {
  protected:
    Made make(workload::WorkloadSpec spec, ScheduleKind schedule, std::int64_t global_batch) {
        spec.layout.schedule = schedule;
        spec.global_batch = global_batch;
        const workload::Graph& graph =
            frontend_.build(spec, workload::resolve(spec.layout, 16, spec.global_batch));
        workload::validate(graph);
        workload::TotalsCounter counter;
        counter.read(graph);
        return {counter.all(graph), sim::engines().find("folded")()->peak_memory(graph)};
    }

    workload::WorkloadSpec spec(std::int64_t zero, Recompute recompute) {
        workload::WorkloadSpec spec;
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

// At most as many microbatches are under way as there are stages, however many there are: what a task leaves
// behind would add up.
TEST_P(SplitBackward, GivesAllMemoryBack) {
    for (const std::int64_t zero : {0, 2, 3}) {
        for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
            const Made few = make(spec(zero, recompute), ScheduleKind::zb_h1, 32);
            const Made many = make(spec(zero, recompute), ScheduleKind::zb_h1, 256);
            EXPECT_EQ(few.memory, many.memory) << "zero " << zero;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Small, SplitBackward, testing::Values("small_llama", "small_gpt", "small_moe"),
                         [](const auto& made) { return made.param; });

}  // namespace
}  // namespace dse
