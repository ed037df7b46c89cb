#include "dse/space/joint_axis.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tiny_sweep.hpp"

namespace dse::space {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string errors_of(const std::string& yaml) {
    config::Diagnostics diagnostics;
    EXPECT_FALSE(testing::try_compile(yaml, diagnostics));
    return diagnostics.text();
}

/// A value of every point of the grid, by name.
std::vector<double> column(const Space& space, const std::string& name) {
    std::vector<double> values;
    Point point;
    for (std::uint64_t id = 0; id < *space.grid_size().exact; ++id) {
        if (space.point(id, point)) values.push_back(point.values[*space.slot(name)]);
    }
    return values;
}

TEST(JointAxis, SetsSeveralFieldsTogether) {
    const auto space = testing::compile(
        "axes:\n"
        "  layout:\n"
        "    - {tp: 8, pp: 1, schedule: gpipe, outer.bandwidth: 100 GB/s}\n"
        "    - {tp: 4, pp: 2, schedule: 1f1b, outer.bandwidth: 25 GB/s}\n"
        "    - {tp: 2, pp: 2, schedule: interleaved, outer.bandwidth: 25 GB/s}\n"
        "derive: {dp: 16 // (tp * pp)}\n"
        "require: [tp * pp != 4]\n");
    ASSERT_TRUE(space);
    EXPECT_EQ(*space->grid_size().exact, 3U);
    EXPECT_THAT(column(*space, "tp"), ElementsAre(8, 4));
    EXPECT_THAT(column(*space, "pp"), ElementsAre(1, 2));
    EXPECT_THAT(column(*space, "schedule"), ElementsAre(0, 1));
    EXPECT_THAT(column(*space, "outer.bandwidth"), ElementsAre(100e9, 25e9));
    EXPECT_THAT(column(*space, "dp"), ElementsAre(2, 2));
    EXPECT_THAT(space->axes()[0].labels.front(), "tp=8, pp=1, schedule=gpipe, outer.bandwidth=100 GB/s");
}

TEST(JointAxis, ShowsQuantitiesAsItsRecordsWriteThem) {
    const auto shown = [](const std::string& second) {
        const auto space = testing::compile(
            "axes: {layout: [{tp: 8, outer.bandwidth: 100 Gbps}, {tp: 4, outer.bandwidth: " + second +
            "}]}\nderive: {inner.bandwidth: outer.bandwidth * 9}\n");
        return std::pair{space->format(*space->slot("outer.bandwidth"), 25e9),
                         space->format(*space->slot("inner.bandwidth"), 225e9)};
    };
    EXPECT_EQ(shown("200 Gbps"), (std::pair<std::string, std::string>{"200 Gbps", "1800 Gbps"}));
    EXPECT_EQ(shown("50 GB/s"), (std::pair<std::string, std::string>{"25 GB/s", "225 GB/s"}));
}

TEST(JointAxis, MayHaveOneRecord) {
    const auto space = testing::compile("axes: {layout: {tp: 8, pp: 2}}\n");
    ASSERT_TRUE(space);
    EXPECT_THAT(column(*space, "tp"), ElementsAre(8));
}

TEST(JointAxis, IsKnownByItsRecords) {
    config::Diagnostics diagnostics;
    const auto parsed = [&](const std::string& text) {
        return config::parse_yaml(text, "axis.yaml", diagnostics);
    };
    const config::Node two = parsed("[{tp: 8, pp: 1}, {pp: 2, tp: 4}]");
    ASSERT_EQ(records_of(two).size(), 2U);
    EXPECT_EQ(label_of(*records_of(two)[1], *records_of(two)[0]), "tp=4, pp=2");
    EXPECT_EQ(records_of(parsed("{tp: 8}")).size(), 1U);
    for (const char* other : {"[1, 2]", "8", "{from: 1, to: 2}", "{when: a > 1, values: [1]}", "[]"})
        EXPECT_TRUE(records_of(parsed(other)).empty()) << other;
}

TEST(JointAxis, SaysWhatIsWrongWithARecord) {
    EXPECT_THAT(errors_of("axes:\n  layout:\n    - {tp: 8, pp: 1}\n    - {tp: 4}\n"),
                HasSubstr("sweep.yaml:4:7: error: axes.layout.1: 'pp' is missing"));
    EXPECT_THAT(errors_of("axes:\n  layout:\n    - {tp: 8, pp: 1}\n    - {tp: 4, ppp: 2}\n"),
                HasSubstr("the first record has no 'ppp' (did you mean 'pp'?)"));
    EXPECT_THAT(errors_of("axes:\n  layout:\n    - {tp: 8}\n    - 3\n"),
                HasSubstr("expected a record such as"));
    EXPECT_THAT(errors_of("axes:\n  layout:\n    - {tp: 8}\n    - {tp: [1]}\n"),
                HasSubstr("expected a value, found"));
    EXPECT_THAT(errors_of("axes:\n  layout:\n    - {tp: 8}\n    - {tp: 8}\n"),
                HasSubstr("tp=8 appears twice"));
    EXPECT_THAT(errors_of("axes:\n  tp: [1]\n  layout:\n    - {tp: 8}\n    - {tp: 4}\n"),
                HasSubstr("'tp' is an axis already (line 2)"));
    EXPECT_THAT(errors_of("axes:\n  layout:\n    - {tp: 1.5}\n    - {tp: 4}\n"),
                HasSubstr("axes.layout.0.tp"));
    EXPECT_THAT(errors_of("axes:\n  layout:\n    - {outer.bandwidth: 5}\n    - {outer.bandwidth: 6}\n"),
                HasSubstr("unit"));
    EXPECT_THAT(errors_of("axes:\n  layout:\n    - {tp: 8, model: a}\n    - {tp: 4, model: {base: b}}\n"),
                HasSubstr("sweep.yaml:4:22: error: axes.layout.1.model: expected a value, found"));
    EXPECT_THAT(errors_of("axes:\n  layout:\n    - {tp: 8, model: a}\n    - {tp: 4, model: it's}\n"),
                HasSubstr("a record cannot hold 'it's', which has a quote in it"));
}

TEST(JointAxis, SaysHowManyRecordsFit) {
    const auto sweep = [](int records, const std::string& field) {
        std::string text = "axes:\n  layout:\n";
        for (int i = 1; i <= records; ++i) text += fmt::format("    - {{tp: {}{}}}\n", i, field);
        return text;
    };
    EXPECT_TRUE(testing::compile(sweep(127, "")));
    EXPECT_THAT(errors_of(sweep(128, "")),
                HasSubstr("128 records are too many, about 127 of this length fit"));
    // "100000000000 if layout == 'tp=88, outer.bandwidth=100 GB/s' else " has 65 characters, 4,096 / 65 = 63.
    EXPECT_THAT(errors_of(sweep(99, ", outer.bandwidth: 100 GB/s")),
                HasSubstr("99 records are too many, about 63 of this length fit"));
}

TEST(JointAxis, HoldsNamesOfFiles) {
    const auto space = testing::compile(
        "axes:\n  layout:\n    - {tp: 8, model: small}\n    - {tp: 4, model: large}\n    - {tp: 2, model: "
        "small}\n"
        "derive: {width: \"2 if model == 'large' else 1\"}\n");
    ASSERT_TRUE(space);
    const std::size_t model = *space->slot("model");
    EXPECT_THAT(space->slot_info(model).choices, ElementsAre("small", "large"));
    EXPECT_THAT(column(*space, "model"), ElementsAre(0, 1, 0));
    EXPECT_THAT(column(*space, "width"), ElementsAre(1, 2, 1));
    EXPECT_EQ(space->format(model, 1), "large");
    EXPECT_THAT(errors_of("axes:\n  layout:\n    - {tp: 8, model: small}\n    - {tp: 4, model: large}\n"
                          "require: [\"model == 'larger'\"]\n"),
                HasSubstr("unknown label 'larger'"));
}

TEST(JointAxis, TakesNamesInAllOrders) {
    const auto space =
        testing::compile("axes: {order: {permutations: [b, a, c]}}\nrequire: [order != 'b-c-a']\n");
    ASSERT_TRUE(space);
    EXPECT_THAT(space->axes()[0].labels, ElementsAre("a-b-c", "a-c-b", "b-a-c", "b-c-a", "c-a-b", "c-b-a"));
    EXPECT_EQ(column(*space, "order").size(), 5U);
}

TEST(JointAxis, FindsOrdersAmongTheChoicesOfAField) {
    config::Diagnostics diagnostics;
    const config::Node names = config::parse_yaml("[b, a]", "names.yaml", diagnostics);
    EXPECT_THAT(read_permutations(names, {"a-x-b", "a-b-x", "b-x-a"}, diagnostics),
                ElementsAre("a-x-b", "b-x-a"));
    EXPECT_TRUE(diagnostics.ok());
    EXPECT_TRUE(read_permutations(names, {"a-x-b"}, diagnostics).empty());
    EXPECT_THAT(diagnostics.text(), HasSubstr("no value of the field has the order b-a"));
}

TEST(JointAxis, RefusesWhatHasNoOrders) {
    EXPECT_THAT(errors_of("axes: {tp: {permutations: [1, 2]}}\n"), HasSubstr("holds no order of names"));
    EXPECT_THAT(errors_of("axes: {order: {permutations: [a]}}\nrequire: [order == 'a']\n"),
                HasSubstr("a list of 2 to 8 names"));
    EXPECT_THAT(errors_of("axes: {order: {permutations: [a, a]}}\nrequire: [order == 'a']\n"),
                HasSubstr("appears twice"));
    EXPECT_THAT(errors_of("axes: {order: {permutations: [a, b], from: 1}}\nrequire: [order == 'a-b']\n"),
                HasSubstr("'permutations' cannot be combined with other keys"));
}

}  // namespace
}  // namespace dse::space
