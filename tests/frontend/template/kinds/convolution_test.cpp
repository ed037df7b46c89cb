#include <gtest/gtest.h>

#include "frontend/template/one_line.hpp"

namespace dse::frontend {
namespace {

using test::OneLine;

/// Images of 9 x 9 pixels with 8 channels; filters of 3 x 3.
OneLine images() {
    OneLine line;
    line.declare("x", {"b", "9", "9", "h"});
    line.parameter("w", {"3", "3", "h", "f"});
    return line;
}

/// 2 images, 5 x 5 positions ((9 + 2 - 3) / 2 + 1), 10 filters over 9 · 8 values: 2 · 50 · 10 · 72 = 72 000.
TEST(Convolution, IsAProductOverWindows) {
    OneLine line = images();
    const auto operation = line.read("y = convolution(x, w, stride=2, padding=1)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 5, 5, 10}));
    EXPECT_EQ(operation->forward.op_class, graph::OpClass::gemm);
    EXPECT_EQ(line.product(operation->forward.gemm.m), 2 * 5 * 5);
    EXPECT_EQ(line.product(operation->forward.gemm.n), 10);
    EXPECT_EQ(line.product(operation->forward.gemm.k), 9 * 8);
    EXPECT_EQ(line.model_flop(operation->forward), 72'000);
    EXPECT_EQ(line.executed_flop(operation->forward), 72'000);
    EXPECT_EQ(line.uses(operation->forward.reads), "x w");
}

/// Every product of the forward pass comes once more for either gradient, whatever the stride.
TEST(Convolution, EitherGradientIsAsMuchWork) {
    for (const char* options : {"", ", padding=1", ", stride=2", ", stride=2, padding=1", ", stride=3"}) {
        OneLine line = images();
        const auto operation = line.read(std::string("y = convolution(x, w") + options + ")");
        ASSERT_TRUE(operation) << line.errors();
        ASSERT_EQ(operation->backward.size(), 2U);
        const double forward = line.model_flop(operation->forward);
        EXPECT_DOUBLE_EQ(line.model_flop(operation->backward[0]), forward) << options;
        EXPECT_EQ(line.model_flop(operation->backward[1]), forward) << options;
        EXPECT_EQ(line.uses(operation->backward[0].reads), "d_y w");
        EXPECT_EQ(line.uses(operation->backward[0].writes), "d_x");
        // Positions of the input, each over the window's filters.
        EXPECT_EQ(line.product(operation->backward[0].gemm.m), 2 * 81);
        EXPECT_EQ(line.product(operation->backward[0].gemm.k), 9 * 10);
        EXPECT_EQ(line.uses(operation->backward[1].writes), "d_w*2") << "accumulated";
        EXPECT_TRUE(operation->backward[1].weight_gradient);
    }
}

/// Channels lie over an axis as the rows and columns of a matrix do; positions are whole.
TEST(Convolution, SplitsChannelsAndSamplesOnly) {
    OneLine line = images();
    const auto operation = line.read("y = convolution(x, w)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(operation->operands[0].letters, "bhwc");
    EXPECT_EQ(operation->operands[1].letters, "ijco");
    EXPECT_EQ(operation->results[0].letters, "bxyo");
    for (const char whole : {'h', 'w', 'x', 'y', 'i', 'j'})
        EXPECT_NE(operation->whole.find(whole), std::string::npos) << whole;
    for (const char split : {'b', 'c', 'o'}) EXPECT_EQ(operation->whole.find(split), std::string::npos);
}

/// Of 4 groups each sees 2 of 8 channels and makes 2 of 8: 2 · 162 · 4 · 2 · 18 = 46 656 multiply-adds over
/// 9 x 9 positions; one group would be four times as many.
TEST(Convolution, GroupsSeeTheirOwnChannels) {
    OneLine line = images();
    line.parameter("grouped", {"3", "3", "h/n", "h"});
    const auto operation = line.read("y = convolution(x, grouped, padding=1, groups=n)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.model_flop(operation->forward), 2.0 * 162 * 4 * 2 * 18);
    EXPECT_EQ(line.model_flop(operation->backward[0]), line.model_flop(operation->forward));
    EXPECT_EQ(line.product(operation->forward.gemm.batch), 4);
    EXPECT_NE(operation->whole.find('c'), std::string::npos);
}

TEST(Convolution, RefusesWhatDoesNotFit) {
    OneLine line = images();
    line.parameter("thin", {"3", "3", "k", "f"});
    EXPECT_FALSE(line.read("y = convolution(x, thin)"));
    EXPECT_NE(line.errors().find("'x' has 8 channels, but 'thin' 2 in each of 1 groups"), std::string::npos)
        << line.errors();
    OneLine wide = images();
    wide.parameter("large", {"11", "11", "h", "f"});
    EXPECT_FALSE(wide.read("y = convolution(x, large)"));
    EXPECT_NE(wide.errors().find("the window is larger than 'x'"), std::string::npos) << wide.errors();
}

}  // namespace
}  // namespace dse::frontend
