#include "space/step_order.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tiny_sweep.hpp"

namespace dse::space {
namespace {

TEST(StepOrder, ChecksAsSoonAsAxesAreFixed) {
    const auto space = testing::compile(testing::layout_sweep);
    ASSERT_TRUE(space);
    std::vector<std::string> steps;
    for (const Step& step : space->steps())
        steps.push_back(std::to_string(step.depth) + " " + space->describe(step));
    EXPECT_EQ(steps, (std::vector<std::string>{
                         "2 devices % (tp * pp) == 0",
                         "2 dp = devices / (tp * pp)",
                         "3 global_batch % (dp * microbatch) == 0",
                         "4 schedule != 'interleaved' or pp > 1",
                     }));
    EXPECT_EQ(space->steps_at(2).size(), 2U);
    EXPECT_TRUE(space->steps_at(0).empty());
    EXPECT_EQ(space->steps()[2].axes, (std::vector<std::size_t>{0, 1, 2}));  // pp through dp
}

}  // namespace
}  // namespace dse::space
