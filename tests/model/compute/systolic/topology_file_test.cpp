#include "dse/model/compute/systolic/topology_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace dse::model {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class TopologyFile : public testing::Test {
  protected:
    std::vector<SystolicLayer> read(const std::string& text, TopologyInput input) {
        return read_topology_file(folder_.write("t.csv", text), input, diagnostics_);
    }

    test::TemporaryFolder folder_;
    config::Diagnostics diagnostics_;
};

TEST_F(TopologyFile, convolutions) {
    const auto layers =
        read("Layer, H, W, FH, FW, C, N, S,\n\nConv1, 224, 112, 11, 5, 3, 96, 4,\r\n  c2 ,9,8,3,2,1,4,1",
             TopologyInput::conv);
    EXPECT_EQ(diagnostics_.text(), "");
    ASSERT_EQ(layers.size(), 2U) << "with or without the last comma";
    EXPECT_EQ(layers[0].name, "Conv1");
    EXPECT_EQ(layers[0].ifmap_height, 224.0);
    EXPECT_EQ(layers[0].ifmap_width, 112.0);
    EXPECT_EQ(layers[0].filter_height, 11.0);
    EXPECT_EQ(layers[0].filter_width, 5.0);
    EXPECT_EQ(layers[0].channels, 3.0);
    EXPECT_EQ(layers[0].filters, 96.0);
    EXPECT_EQ(layers[0].stride, 4.0);
    EXPECT_EQ(layers[1].name, "c2");
}

TEST_F(TopologyFile, gemm_rows_are_products) {
    const auto layers =
        read("Layer, M, N, K,\nQKT, 1024, 64, 128,\nsparse, 4, 5, 6, 2:4,\n", TopologyInput::gemm);
    EXPECT_EQ(diagnostics_.text(), "");
    ASSERT_EQ(layers.size(), 2U);
    EXPECT_EQ(layers[0].product().m, 1024.0);
    EXPECT_EQ(layers[0].product().n, 64.0);
    EXPECT_EQ(layers[0].product().k, 128.0);
}

TEST_F(TopologyFile, depthwise_is_a_layer_a_channel) {
    const auto layers =
        read("h\nDP1, 8, 8, 3, 3, 3, 1, 1, #dw\nfull, 8, 8, 3, 3, 3, 1, 1,\n", TopologyInput::conv);
    EXPECT_EQ(diagnostics_.text(), "");
    ASSERT_EQ(layers.size(), 4U);
    EXPECT_EQ(layers[0].name, "DP1Channel_0");
    EXPECT_EQ(layers[2].name, "DP1Channel_2");
    EXPECT_EQ(layers[2].channels, 1.0);
    EXPECT_EQ(layers[3].channels, 3.0);
}

TEST_F(TopologyFile, empty_rows_and_headings_are_no_layers) {
    const auto layers =
        read("h\n,,,,,,,,\nAlexNet,\na, 8, 8, 3, 3, 3, 1, 1,\nVGG,,,,,,,,\n", TopologyInput::conv);
    ASSERT_EQ(layers.size(), 1U);
    EXPECT_EQ(layers[0].name, "a");
    EXPECT_THAT(diagnostics_.text(), AllOf(HasSubstr("t.csv:3:1: warning: AlexNet: skipped"),
                                           HasSubstr("t.csv:5:1: warning: VGG: skipped")));
}

TEST_F(TopologyFile, every_bad_line_is_named) {
    read(
        "h\na, 8, 8, 9, 3, 3, 1, 1,\nb, 8, 8, 3, 3,\nc, 8, 8, 3, x, 3, 1, 1,\nd, 8, 8, 3, 3, 0, 1, 1,\n"
        "e, 8, 8, 3, 3, 1, 1, 1, half,\n\"f, 8\n",
        TopologyInput::conv);
    EXPECT_THAT(diagnostics_.text(),
                AllOf(HasSubstr("t.csv:2:1: error: a: the filter is larger"),
                      HasSubstr("t.csv:3:1: error: b: 5 columns"), HasSubstr("'x' is not an integer"),
                      HasSubstr("t.csv:5:1: error: d: channels: 0 is not a size"),
                      HasSubstr("'half' is not a sparsity"), HasSubstr("t.csv:7:1")));
}

}  // namespace
}  // namespace dse::model
