#include "dse/model/compute/systolic/folds.hpp"

#include <random>

#include <gtest/gtest.h>

namespace dse::model {
namespace {

using hardware::Dataflow;

SystolicArray array(double rows, double columns, Dataflow dataflow) {
    return {rows, columns, dataflow};
}

/// 10 × 20 times 20 × 6 on 4 × 8.
TEST(SystolicFolds, weights_stay) {
    const SystolicFolds folds{array(4, 8, Dataflow::ws), {1, 10, 6, 20}};
    // K = 20 over 4 rows: 5 folds; N = 6 over 8 columns: 1. A fold: 4 to load, 4 + 8 - 2 to fill and
    // drain, 10.
    EXPECT_EQ(folds.row_folds(), 5.0);
    EXPECT_EQ(folds.column_folds(), 1.0);
    EXPECT_EQ(folds.cycles_of_fold(), 24.0);
    EXPECT_EQ(folds.cycles(), 119.0);
    EXPECT_DOUBLE_EQ(folds.mapping_efficiency(), 0.75) << "6 of 8 columns";
    EXPECT_DOUBLE_EQ(folds.compute_utilization(), 0.75 * 10 / (24 + 7));
    EXPECT_DOUBLE_EQ(folds.overall_utilization(119.0), 1200.0 / (119 * 32));
    EXPECT_EQ(folds.ifmap_reads(), 200.0) << "once: all columns fit";
    EXPECT_EQ(folds.filter_reads(), 120.0);
    EXPECT_EQ(folds.ofmap_writes(), 300.0) << "60 partial sums in each of 5 folds";
}

TEST(SystolicFolds, inputs_stay) {
    const SystolicFolds folds{array(4, 8, Dataflow::is), {1, 10, 6, 20}};
    // K = 20 over 4 rows: 5; M = 10 over 8 columns: 2. A fold: 4 + 10 + 6.
    EXPECT_EQ(folds.cycles(), 199.0);
    EXPECT_DOUBLE_EQ(folds.mapping_efficiency(), 0.625) << "10 of 16 columns";
    EXPECT_EQ(folds.ifmap_reads(), 200.0);
    EXPECT_EQ(folds.filter_reads(), 240.0) << "for each of 2 column folds";
    EXPECT_EQ(folds.ofmap_writes(), 300.0);
}

TEST(SystolicFolds, sums_stay) {
    const SystolicFolds folds{array(4, 8, Dataflow::os), {1, 10, 6, 20}};
    // M = 10 over 4 rows: 3; N = 6 over 8 columns: 1. A fold: 4 + 8 - 2 + 20, nothing to load.
    EXPECT_EQ(folds.cycles(), 89.0);
    EXPECT_DOUBLE_EQ(folds.mapping_efficiency(), 60.0 / 96);
    EXPECT_DOUBLE_EQ(folds.compute_utilization(), 60.0 / 96 * 20 / 30);
    EXPECT_EQ(folds.ifmap_reads(), 200.0);
    EXPECT_EQ(folds.filter_reads(), 360.0) << "for each of 3 row folds";
    EXPECT_EQ(folds.ofmap_writes(), 60.0 + 3 * 12);
}

TEST(SystolicFolds, best_is_the_fewest_cycles) {
    EXPECT_EQ(folds_of(array(4, 8, Dataflow::best), {1, 10, 6, 20}).cycles(), 89.0);
    EXPECT_EQ(folds_of(array(4, 8, Dataflow::ws), {1, 10, 6, 20}).cycles(), 119.0);
    // One long stream: ws needs one fold of 4 + 10 + 1000; os has 250 of 10 + 4.
    EXPECT_EQ(folds_of(array(4, 8, Dataflow::best), {1, 1000, 8, 4}).cycles(), 1013.0);
}

/// No array does more than one multiply-add a cycle and element, and none reads an operand less than once.
TEST(SystolicFolds, bounds_hold_for_any_product) {
    std::mt19937 random{7};
    std::uniform_int_distribution<int> size{1, 700};
    std::uniform_int_distribution<int> side{1, 130};
    for (int i = 0; i < 3000; ++i) {
        const graph::GemmShape product{1, double(size(random)), double(size(random)), double(size(random))};
        for (const Dataflow dataflow : {Dataflow::os, Dataflow::ws, Dataflow::is}) {
            const SystolicFolds folds{array(side(random), side(random), dataflow), product};
            EXPECT_LE(folds.mapping_efficiency(), 1.0 + 1e-12);
            EXPECT_GT(folds.mapping_efficiency(), 0.0);
            EXPECT_LE(folds.compute_utilization(), folds.mapping_efficiency());
            EXPECT_LE(folds.overall_utilization(folds.cycles() + 1.0), 1.0 + 1e-12);
            EXPECT_GE(folds.ifmap_reads(), product.m * product.k);
            EXPECT_GE(folds.filter_reads(), product.k * product.n);
            EXPECT_GE(folds.ofmap_writes(), product.m * product.n);
        }
    }
}

/// The input of one product is the filter of the transposed one.
TEST(SystolicFolds, is_is_the_transposed_ws) {
    const SystolicFolds direct{array(16, 8, Dataflow::is), {1, 100, 37, 53}};
    const SystolicFolds transposed{array(16, 8, Dataflow::ws), {1, 37, 100, 53}};
    EXPECT_EQ(direct.cycles(), transposed.cycles());
    EXPECT_EQ(direct.filter_reads(), transposed.ifmap_reads());
    EXPECT_EQ(direct.ofmap_writes(), transposed.ofmap_writes());
}

}  // namespace
}  // namespace dse::model
