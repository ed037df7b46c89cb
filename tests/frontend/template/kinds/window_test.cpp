#include "frontend/template/kinds/window.hpp"

#include <gtest/gtest.h>

namespace dse::frontend::kinds {
namespace {

struct Window {
    const char* extent;
    const char* window;
    const char* stride;
    const char* padding;
    double positions;
};

/// By hand: windows that start at 0, stride, 2·stride, … and end inside the padded extent.
TEST(WindowPositions, CountWindowsThatFit) {
    const OperatorLine line;
    const config::Location where;
    const graph::SoftwareStack stack;
    Dimensions dimensions;
    std::vector<Tensor> tensors;
    const std::vector<double> sample{1, 1};
    config::Diagnostics diagnostics;
    OperationBuilder builder(line, where, stack, dimensions, tensors, sample, diagnostics);
    for (const Window& w : {Window{"9", "3", "1", "0", 7},
                            {"9", "3", "1", "1", 9},
                            {"9", "3", "2", "1", 5},
                            {"224", "7", "2", "3", 112},
                            {"112", "3", "2", "1", 56},
                            {"8", "3", "2", "0", 3},
                            {"5", "5", "3", "0", 1}}) {
        const auto dim = [&](const char* text) { return builder.dimension(text); };
        const DimId positions =
            window_positions(builder, dim(w.extent), dim(w.window), dim(w.stride), dim(w.padding));
        EXPECT_EQ(builder.extent(positions), w.positions) << w.extent << " " << w.window << " " << w.stride;
    }
    EXPECT_EQ(diagnostics.text(), "");
}

}  // namespace
}  // namespace dse::frontend::kinds
