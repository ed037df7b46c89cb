#include "dse/model/compute/systolic/systolic_run.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace dse::model {
namespace {

using hardware::Dataflow;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Buffers of 1 kB each.
ScaleSimArchitecture architecture(Dataflow dataflow) {
    const OperandBuffer buffer{1024, infinite};
    return {"x", {4, 8, dataflow}, InterfaceBandwidth::calc, {buffer, buffer, buffer}};
}

/// 10 × 20 times 20 × 6 on 4 × 8, as in folds_test. Requests of a read are answered a cycle later.
TEST(RunLayer, weights_load_before_inputs_stream) {
    const SystolicLayerRun run = run_layer(architecture(Dataflow::ws), product_layer("p", 10, 6, 20));
    // Five folds of 24 cycles, the last one begins at 96. Weights load in cycles 0 to 3.
    EXPECT_EQ(run.filter.first, 1.0);
    EXPECT_EQ(run.filter.last, 96.0 + 3.0 + 1.0);
    // Inputs: 10 vectors from cycle 4 on; row 3 is 3 cycles behind.
    EXPECT_EQ(run.ifmap.first, 5.0);
    EXPECT_EQ(run.ifmap.last, 96.0 + 4.0 + 9.0 + 3.0 + 1.0);
    // The first sum leaves at cycle 4 + 3; the last of 10, in column 5, at 96 + 7 + 9 + 5.
    EXPECT_EQ(run.ofmap.first, 7.0);
    EXPECT_EQ(run.ofmap.last, 117.0);
    EXPECT_EQ(run.memory.cycles, 119.0) << "the array is 8 columns wide, 6 are used";
}

TEST(RunLayer, sums_leave_at_the_end_of_a_fold) {
    const SystolicLayerRun run = run_layer(architecture(Dataflow::os), product_layer("p", 10, 6, 20));
    // Three folds of 30 cycles; the last one, from 60, has 2 of 4 rows and 6 of 8 columns.
    EXPECT_EQ(run.ifmap.first, 1.0);
    EXPECT_EQ(run.ifmap.last, 60.0 + 19.0 + 1.0 + 1.0);
    EXPECT_EQ(run.filter.last, 60.0 + 19.0 + 5.0 + 1.0);
    EXPECT_EQ(run.ofmap.first, 19.0);
    EXPECT_EQ(run.ofmap.last, 60.0 + 19.0 + 3.0 + 5.0);
}

TEST(RunLayer, a_fold_with_idle_rows_loads_later) {
    // 3 of 4 rows hold weights: the bottom one is first in line, and idle.
    const SystolicLayerRun run = run_layer(architecture(Dataflow::ws), product_layer("p", 10, 6, 3));
    EXPECT_EQ(run.filter.first, 2.0);
}

/// 200 input words at hundredths of 1024 words (10 each): 20 of them, 200 words, 20 cycles; 120 filter words:
/// 12 cycles. 300 sums leave at 8 a cycle: 38 cycles, the first of which is the last of the array.
TEST(RunLayer, prefetch_and_flush_are_estimated) {
    const SystolicLayerRun run = run_layer(architecture(Dataflow::ws), product_layer("p", 10, 6, 20));
    EXPECT_EQ(run.memory.stall_cycles, 0.0);
    EXPECT_EQ(run.memory.ifmap.first_cycle, -20.0);
    EXPECT_EQ(run.memory.filter.first_cycle, -12.0);
    EXPECT_EQ(run.memory.cycles_with_prefetch, 20.0 + 119.0 + 37.0);
}

TEST(RunLayer, stalls_shift_what_comes_last) {
    ScaleSimArchitecture slow = architecture(Dataflow::ws);
    slow.interface = InterfaceBandwidth::user;
    slow.buffers = {{64, 1}, {64, 8}, {1024, 8}};
    const SystolicLayer layer = product_layer("p", 10, 6, 20);
    const SystolicLayerRun run = run_layer(slow, layer);
    EXPECT_GT(run.memory.stall_cycles, 0.0);
    EXPECT_EQ(run.memory.cycles, 119.0 + run.memory.stall_cycles);
    EXPECT_EQ(run.ofmap.last, 117.0 + run.memory.stall_cycles);
    EXPECT_EQ(run.ofmap.first, 7.0);
}

}  // namespace
}  // namespace dse::model
