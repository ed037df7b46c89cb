#include <gtest/gtest.h>

#include "dse/space/space.hpp"
#include "tiny_sweep.hpp"

namespace dse::space {
namespace {

TEST(SpaceCompiler, DerivedValuesInAnyOrderSetFieldsAndUseAxes) {
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

TEST(SpaceCompiler, AFieldOfAReplacedPartIsNotFixed) {
    EXPECT_TRUE(testing::compile("axes:\n  tp: [1]\nrequire: [node.cores == 8]\n"));
    config::Diagnostics diagnostics;
    EXPECT_FALSE(testing::try_compile("axes:\n  node: [small, large]\nrequire: [tp == 1 or cores > 8]\n",
                                      diagnostics));
    EXPECT_NE(diagnostics.text().find(
                  "sweep.yaml:3:22: error: require.0: 'cores' differs from one 'node' to the next"),
              std::string::npos)
        << diagnostics.text();
}

TEST(SpaceCompiler, LabelsOfAnAxisAreCompared) {
    config::Diagnostics diagnostics;
    EXPECT_TRUE(
        testing::try_compile("axes:\n  model: [llama, gpt]\nrequire: [model == 'gpt']\n", diagnostics));
    EXPECT_FALSE(
        testing::try_compile("axes:\n  model: [llama, gpt]\nrequire: [model == 'gtp']\n", diagnostics));
    EXPECT_NE(diagnostics.text().find("did you mean 'gpt'"), std::string::npos) << diagnostics.text();
}

TEST(SpaceCompiler, AnAxisOfOneTextIsComparedWithAny) {
    const auto space = testing::compile(
        "axes:\n  tp: [1, 2]\n  model: [llama]\nrequire: [tp == (1 if model == 'gpt' else 2)]\n");
    ASSERT_TRUE(space);
    Point point;
    EXPECT_FALSE(space->point(0, point));
    EXPECT_TRUE(space->point(1, point));
    EXPECT_TRUE(testing::compile("axes:\n  model: [llama]\nrequire: [model == 'llama']\n")->point(0, point));
}

/// workload.narrow holds -128 … 127: what does not fit counts as no value, it is never cut.
TEST(SpaceCompiler, DerivedIntegersStayInTheirField) {
    const auto space = testing::compile("axes:\n  tp: {from: 1, to: 200}\nderive:\n  narrow: tp * 1\n");
    ASSERT_TRUE(space);
    Point point;
    EXPECT_TRUE(space->point(126, point));
    EXPECT_FALSE(space->point(127, point));
}

}  // namespace
}  // namespace dse::space
