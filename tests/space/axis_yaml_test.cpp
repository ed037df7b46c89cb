#include "space/axis_yaml.hpp"

#include <gtest/gtest.h>

#include "tiny_sweep.hpp"

namespace dse::space {
namespace {

std::vector<double> values_of(const std::string& axis) {
    config::Diagnostics diagnostics;
    const auto space = testing::try_compile("axes:\n  " + axis + "\nrequire: [n == n]\n", diagnostics);
    std::vector<double> values;
    if (!space) {
        ADD_FAILURE() << axis << ": " << diagnostics.text();
        return values;
    }
    const AxisValues& all = space->axes()[0].values;
    for (std::uint64_t i = 0; i < all.count(); ++i) values.push_back(all[i]);
    return values;
}

using Values = std::vector<double>;

TEST(AxisYaml, ListsOfEveryType) {
    EXPECT_EQ(values_of("n: [1, 2, 4]"), (Values{1, 2, 4}));
    EXPECT_EQ(values_of("n: 3"), (Values{3}));
    EXPECT_EQ(values_of("n: [0.5, 1]"), (Values{0.5, 1}));
    EXPECT_EQ(values_of("n: [false, true]"), (Values{0, 1}));
    EXPECT_EQ(values_of("n: [b, a]"), (Values{0, 1}));  // labels, as they come
}

TEST(AxisYaml, RangesIncludeTheirEndsInStepsOrOnAScale) {
    EXPECT_EQ(values_of("n: {from: 1, to: 8, step: 3}"), (Values{1, 4, 7}));
    EXPECT_EQ(values_of("n: {from: 2, to: 5}"), (Values{2, 3, 4, 5}));
    EXPECT_EQ(values_of("n: {from: 1, to: 8, scale: log2}"), (Values{1, 2, 4, 8}));
    EXPECT_EQ(values_of("n: {from: 3, to: 50, scale: log2}"), (Values{3, 6, 12, 24, 48}));
    EXPECT_EQ(values_of("n: {from: 1, to: 1000, scale: log10}"), (Values{1, 10, 100, 1000}));
    EXPECT_EQ(values_of("n: {from: 1.0, to: 2.0, count: 5}"), (Values{1, 1.25, 1.5, 1.75, 2}));
    // Integers on a fine logarithmic scale: 1, 1.58, 2.51, 3.98, 6.31, 10, rounded and taken once.
    EXPECT_EQ(values_of("n: {from: 1, to: 10, scale: log10, count: 6}"), (Values{1, 2, 3, 4, 6, 10}));
    // 0.1 + 2 · 0.1 is more than 0.3 in binary; the end belongs to the range all the same.
    EXPECT_EQ(values_of("n: {from: 0.1, to: 0.3, step: 0.1}").size(), 3U);
    // Each is the number that one would write: 0.2 + 2 · 0.2 is 0.6000000000000001, and 3 · 0.1 - 0.3 not 0.
    EXPECT_EQ(values_of("n: {from: 0.2, to: 1.0, step: 0.2}"), (Values{0.2, 0.4, 0.6, 0.8, 1.0}));
    EXPECT_EQ(values_of("n: {from: -0.3, to: 0.1, step: 0.1}"), (Values{-0.3, -0.2, -0.1, 0.0, 0.1}));
    EXPECT_EQ(values_of("n: {from: 1e9, to: 1e9, step: 0.1}"), (Values{1e9}));
    EXPECT_EQ(values_of("n: {from: 7, to: 7}"), (Values{7}));
}

TEST(AxisYaml, FieldsGiveTypesAndUnits) {
    const auto space = testing::compile(R"(axes:
  outer.bandwidth: {from: 100 Gbps, to: 400 Gbps, step: 100 Gbps}
  schedule: [interleaved, gpipe]
  sequence_parallel: [no, yes]
  model: [llama, gpt]
)");
    ASSERT_TRUE(space);
    const Axis& bandwidth = space->axes()[0];
    EXPECT_EQ(bandwidth.info.path, "system.outer.bandwidth");
    EXPECT_EQ(bandwidth.values.count(), 4U);
    EXPECT_DOUBLE_EQ(bandwidth.values[3], 5e10);  // 400 Gbps = 50 GB/s
    EXPECT_EQ(space->axes()[1].values[0], 2.0);   // by enumerator
    EXPECT_EQ(space->axes()[1].format(2.0), "interleaved");
    EXPECT_EQ(space->axes()[2].format(1.0), "true");
    EXPECT_EQ(space->axes()[3].labels, (std::vector<std::string>{"llama", "gpt"}));
    EXPECT_EQ(space->axes()[3].format(1.0), "gpt");
}

TEST(AxisYaml, HugeRangesTakeNoMemory) {
    const auto space = testing::compile("axes:\n  tp: {from: 1, to: 1000000000000}\n");
    ASSERT_TRUE(space);
    EXPECT_EQ(space->axes()[0].values.count(), 1'000'000'000'000U);
}

struct BadAxis {
    const char* text;
    const char* message;  ///< part of "sweep.yaml:line:column: error: path: message"
};

TEST(AxisYaml, SaysWhatIsWrongAndWhere) {
    const BadAxis cases[] = {
        {"tp: []", "sweep.yaml:2:7: error: axes.tp: the axis has no values"},
        {"tp:", "the axis has no values"},
        {"tp: [1, 2, 1]", "sweep.yaml:2:14: error: axes.tp.2: the value 1 appears twice (first at line 2)"},
        {"outer.bandwidth: [400 Gbps, 50 GB/s]", "appears twice"},
        {"tp: [1, two]", "sweep.yaml:2:11: error: axes.tp.1: 'two' is not an integer"},
        {"tp: [1.5]", "is not an integer"},
        {"outer.bandwidth: [400]", "sweep.yaml:2:21: error: axes.outer.bandwidth.0"},
        {"schedule: [gpip]", "did you mean 'gpipe'"},
        {"tp: {from: 8, to: 1}", "sweep.yaml:2:14: error: axes.tp.from: 'from' is larger than 'to'"},
        {"tp: {from: 0, to: 8, scale: log2}", "starts above 0"},
        {"tp: {from: -1, to: 8, scale: log10, count: 3}", "starts above 0"},
        {"tp: {from: 1, to: 8, step: 0}", "'step' must be above 0"},
        {"tp: {from: 1, to: 8, step: -1}", "'step' must be above 0"},
        {"tp: {from: 1, to: 8, count: 0}", "'count' must be 2 or more"},
        {"tp: {from: 1, to: 8, step: 1, count: 3}", "exclude each other"},
        {"tp: {from: 1, to: 8, step: 1, scale: log2}", "needs the linear scale"},
        {"tp: {to: 8}", "'from' is missing"},
        {"tp: {from: 1}", "'to' is missing"},
        {"tp: {from: 1, too: 8}", "unknown key 'too' (did you mean 'to'?)"},
        {"tp: {from: 1, to: 8, scale: log3}", "unknown scale 'log3'"},
        {"schedule: {from: 1, to: 2}", "a range needs numbers"},
        {"outer.efficiency: {from: 0.1, to: 0.9}", "a range without steps cannot be a grid"},
        {"tp: [[1]]", "sweep.yaml:2:8: error: axes.tp.0"},
    };
    for (const BadAxis& bad : cases) {
        config::Diagnostics diagnostics;
        EXPECT_FALSE(testing::try_compile(std::string("axes:\n  ") + bad.text + "\n", diagnostics))
            << bad.text;
        EXPECT_NE(diagnostics.text().find(bad.message), std::string::npos) << bad.text << "\n"
                                                                           << diagnostics.text();
    }
}

}  // namespace
}  // namespace dse::space
