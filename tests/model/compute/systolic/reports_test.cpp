#include "dse/model/compute/systolic/reports.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace dse::model {
namespace {

std::vector<SystolicLayerRun> runs() {
    const OperandBuffer buffer{1024, std::numeric_limits<double>::infinity()};
    const ScaleSimArchitecture architecture{
        "x", {4, 8, hardware::Dataflow::ws}, InterfaceBandwidth::calc, {buffer, buffer, buffer}};
    return {run_layer(architecture, product_layer("p", 10, 6, 20)),
            run_layer(architecture, product_layer("q", 10, 8, 20))};
}

std::string line_of(const std::string& text, int line) {
    std::size_t begin = 0;
    for (int i = 0; i < line; ++i) begin = text.find('\n', begin) + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
}

/// Figures as in systolic_run_test; whole floats keep their point, as Python writes them.
TEST(Reports, a_line_a_layer_in_scale_sims_columns) {
    const std::string text = compute_report(runs());
    EXPECT_EQ(line_of(text, 0),
              "LayerID, Total Cycles (incl. prefetch), Total Cycles, Stall Cycles, Overall Util %, Mapping "
              "Efficiency "
              "%, Compute Util %,");
    EXPECT_EQ(line_of(text, 1).substr(0, 18), "0, 176, 119, 0, 31");
    EXPECT_NE(line_of(text, 1).find(", 75.0, "), std::string::npos) << line_of(text, 1);
    EXPECT_NE(line_of(text, 2).find(", 100.0, "), std::string::npos) << "8 of 8 columns";
    EXPECT_EQ(line_of(text, 2).front(), '1');
    EXPECT_EQ(text.back(), '\n');
}

TEST(Reports, bandwidth_is_words_a_cycle) {
    const std::string line = line_of(bandwidth_report(runs()), 1);
    // 200 words over 119 cycles; from memory 200 in the 20 cycles before the first.
    EXPECT_EQ(line.substr(0, 9), "0, 1.6806");
    EXPECT_NE(line.find(", 10.0, 10.0,"), std::string::npos) << line;
}

TEST(Reports, accesses_have_first_last_and_count) {
    EXPECT_EQ(line_of(access_report(runs()), 1),
              "0, 5.0, 113.0, 200, 1.0, 100.0, 120, 7.0, 117.0, 300, -20.0, -1.0, 200, -12.0, -1.0, 120, "
              "119.0, 156.0, "
              "300,");
}

}  // namespace
}  // namespace dse::model
