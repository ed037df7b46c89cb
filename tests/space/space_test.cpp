#include "dse/space/space.hpp"

#include <gtest/gtest.h>

#include "tiny_sweep.hpp"

namespace dse::space {
namespace {

TEST(Space, NumbersPointsInMixedRadix) {
    const auto space = testing::compile(testing::layout_sweep);
    ASSERT_TRUE(space);
    // 4 · 4 · 4 · 3 · 2 = 384 points; the first axis is the slowest.
    EXPECT_EQ(space->grid_size().exact, 384U);
    EXPECT_EQ(space->stride(0), 96U);
    EXPECT_EQ(space->stride(4), 1U);
    Point point;
    // tp = 4 (digit 2), pp = 2 (1), microbatch = 8 (3), schedule = 1f1b (1), 400 Gbps (1):
    // 2·96 + 1·24 + 3·6 + 1·2 + 1 = 237; dp = 64 / (4·2) = 8; 64 % (8·8) == 0: in the space.
    EXPECT_TRUE(space->point(237, point));
    EXPECT_EQ(point.id, 237U);
    EXPECT_EQ(point.values, (std::vector<double>{4, 2, 8, 1, 5e10, 8}));
    // pp = 3 (2) does not divide: 2·96 + 2·24 = 240.
    EXPECT_FALSE(space->point(240, point));
    EXPECT_EQ(point.values[1], 3.0);
    // tp = 1, pp = 1, microbatch = 2: 64 % (64·2) != 0.
    EXPECT_FALSE(space->point(6, point));
    // interleaved needs pp > 1.
    EXPECT_FALSE(space->point(3 * 96 + 4, point));
}

TEST(Space, ChecksAsSoonAsAxesAreFixed) {
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

TEST(Space, DerivedValuesInAnyOrderSetFieldsAndUseAxes) {
    const auto space = testing::compile(R"(axes:
  tp: [2]
  n: [3]
derive:
  a: b + n
  b: c * 2
  c: tp + 1
  sequence_parallel: tp > 1
  schedule: "'1f1b' if workload.tp == 2 else 'gpipe'"
  outer.bandwidth: inner.bandwidth / 2
  share: 1.0 * tp / devices
require:
  - a == 9
  - outer.bandwidth < '400 Gbps' and model == 'llama'
  - schedule == '1f1b' and sequence_parallel
)");
    ASSERT_TRUE(space);
    Point point;
    // c = 3, b = 6, a = 9; 25e9 / 2 B/s; 2 / 64.
    EXPECT_TRUE(space->point(0, point));
    EXPECT_EQ(point.values, (std::vector<double>{2, 3, 9, 6, 3, 1, 1, 12.5e9, 0.03125}));
    EXPECT_EQ(space->slot("b"), 3U);
    EXPECT_EQ(space->slot("system.outer.bandwidth"), 7U);
    EXPECT_EQ(space->slot("workload.tp"), 0U);
    EXPECT_FALSE(space->slot("devices"));
    EXPECT_EQ(space->slot_info(2).path, "");
    EXPECT_EQ(space->slot_info(2).type, config::FieldType::integer);
    EXPECT_EQ(space->slot_info(8).type, config::FieldType::number);
    EXPECT_EQ(space->slot_info(6).path, "workload.schedule");
    EXPECT_EQ(space->format(6, 1), "1f1b");
    EXPECT_EQ(space->format(7, 50e9), "50 GB/s");
}

TEST(Space, FixedConditionsDecideForAll) {
    const auto none = testing::compile("axes:\n  tp: [1, 2]\nrequire:\n  - devices == 65\n");
    ASSERT_TRUE(none);
    EXPECT_EQ(none->steps_at(0).size(), 1U);
    Point point;
    EXPECT_FALSE(none->point(1, point));
}

TEST(Space, KnowsSizesBeyond64Bits) {
    std::string text = "axes:\n";
    std::string sum = "n0";
    for (int i = 0; i < 9; ++i) text += "  n" + std::to_string(i) + ": {from: 1, to: 1000}\n";
    for (int i = 1; i < 9; ++i) sum += " + n" + std::to_string(i);
    const auto space = testing::compile(text + "require: [" + sum + " > 0]\n");
    ASSERT_TRUE(space);
    EXPECT_FALSE(space->grid_size().exact);
    EXPECT_NEAR(space->grid_size().approximate, 1e27, 1e13);
    const auto fits =
        testing::compile("axes:\n  tp: {from: 1, to: 1000000000}\n  pp: {from: 1, to: 1000000000}\n");
    ASSERT_TRUE(fits);
    EXPECT_EQ(fits->grid_size().exact, 1'000'000'000'000'000'000U);
}

TEST(Space, AFieldOfAReplacedPartIsNotFixed) {
    config::Diagnostics diagnostics;
    EXPECT_TRUE(
        testing::try_compile("axes:\n  model: [llama, gpt]\nrequire: [model == 'gpt']\n", diagnostics));
    EXPECT_FALSE(
        testing::try_compile("axes:\n  model: [llama, gpt]\nrequire: [model == 'gtp']\n", diagnostics));
    EXPECT_NE(diagnostics.text().find("did you mean 'gpt'"), std::string::npos) << diagnostics.text();
}

}  // namespace
}  // namespace dse::space
