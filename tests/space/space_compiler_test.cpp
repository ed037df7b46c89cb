// Also tests: name_uses.cpp, bare_numbers.cpp
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dse/space/grid_cursor.hpp"
#include "dse/space/identity.hpp"
#include "dse/space/space.hpp"
#include "dse/space/space_count.hpp"
#include "tiny_sweep.hpp"

namespace dse::space {
namespace {

TEST(SpaceCompiler, DerivedQuantitiesAreShownInTheUnitOfTheirInputs) {
    const auto shown = [](const std::string& axes, const std::string& formula) {
        const auto space =
            testing::compile("axes: {" + axes + "}\nderive: {inner.bandwidth: " + formula + "}\n");
        return space->format(*space->slot("inner.bandwidth"), 225e9);
    };
    EXPECT_EQ(shown("outer.bandwidth: [200 Gbps, 400 Gbps]", "9 * outer.bandwidth"), "1800 Gbps");
    EXPECT_EQ(shown("outer.bandwidth: [200 Gbps], tp: [2]", "9 * outer.bandwidth / tp"), "1800 Gbps");
    EXPECT_EQ(shown("outer.bandwidth: [200 Gbps, 50 GB/s]", "9 * outer.bandwidth"), "225 GB/s") << "mixed";
    EXPECT_EQ(shown("outer.bandwidth: [200 MB/s]", "9 * outer.bandwidth"), "225 GB/s") << "a usual unit";
    EXPECT_EQ(shown("tp: [2]", "tp * 1e9"), "225 GB/s");
}

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

/// What a user sees of thousands of errors are the first 200.
TEST(SpaceCompiler, OnlyTheFirstUnknownAxesAreComparedWithAllFields) {
    std::string sweep = "axes:\n";
    for (int i = 0; i < 300; ++i) sweep += fmt::format("  microbatch{}: [1]\n", i);
    config::Diagnostics diagnostics;
    EXPECT_FALSE(testing::try_compile(sweep, diagnostics));
    EXPECT_EQ(diagnostics.error_count(), 300U);
    std::size_t suggestions = 0;
    for (const config::Diagnostic& error : diagnostics.all())
        suggestions += error.message.find("did you mean 'microbatch'?") != std::string::npos ? 1 : 0;
    EXPECT_EQ(suggestions, 200U);
    EXPECT_NE(diagnostics.text().find("axes.microbatch199: no field is called 'microbatch199' (did you mean"),
              std::string::npos);
    EXPECT_EQ(diagnostics.all().back().message,
              "no field is called 'microbatch299', and neither 'derive' nor 'require' uses it");
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

constexpr const char* chunks = R"(axes:
  tp: [1, 2]
  schedule: [gpipe, 1f1b, interleaved]
  narrow: {when: schedule == 'interleaved' and tp > 1, values: [2, 5, 7]}
  pp: [1, 2]
require: [narrow != 7]
)";

TEST(SpaceCompiler, AnAxisThatIsIdleHasOneValue) {
    const auto space = testing::compile(chunks);
    ASSERT_TRUE(space);
    EXPECT_EQ(space->grid_size().exact, 36U) << "ids count all values";
    GridCursor cursor{*space, 0, 36};
    std::vector<std::uint64_t> ids;
    std::vector<double> narrow;
    for (Point point; cursor.next(point);) {
        if (point.values[3] != 1) continue;  // pp
        ids.push_back(point.id);
        narrow.push_back(point.values[2]);
        Point alone;
        EXPECT_TRUE(space->point(point.id, alone));
        EXPECT_EQ(alone.values, point.values);
    }
    // Digits (tp, schedule, narrow): idle ones have the first, and the field keeps its 0.
    EXPECT_EQ(ids, (std::vector<std::uint64_t>{0, 6, 12, 18, 24, 30, 32}));
    EXPECT_EQ(narrow, (std::vector<double>{0, 0, 0, 0, 0, 2, 5}));
    EXPECT_EQ(count(*space).remaining.exact, 14U);
    EXPECT_EQ(space->describe(space->steps()[0]), "narrow when schedule == 'interleaved' and tp > 1");
    EXPECT_TRUE(std::ranges::count(
        identity(*space),
        std::pair<std::string, std::string>{"when.narrow", "schedule == 'interleaved' and tp > 1"}));
}

TEST(SpaceCompiler, AnIdleAxisStandsInForItsOwnValueWhereThatIsOneOfItsValues) {
    const auto space = testing::compile("axes:\n  tp: [1, 2]\n  pp: {when: tp == 2, values: [4, 1]}\n");
    ASSERT_TRUE(space);
    std::vector<std::uint64_t> ids;
    Point point;
    for (std::uint64_t id = 0; id < 4; ++id) {
        if (space->point(id, point)) ids.push_back(id);
    }
    EXPECT_EQ(ids, (std::vector<std::uint64_t>{1, 2, 3})) << "tp = 1 has pp = 1, as its field says";
}

TEST(SpaceCompiler, RefusesConditionsThatCannotBeKept) {
    const std::pair<const char*, const char*> cases[] = {
        {"axes:\n  pp: {when: tp == 2, values: [1, 2]}\n  tp: [1, 2]\n", "declared before it"},
        {"axes:\n  pp: {when: pp == 2, values: [1, 2]}\n", "declared before it"},
        {"axes:\n  pp: {when: a == 2, values: [1, 2]}\n  tp: [1, 2]\nderive: {a: tp}\n",
         "declared before it"},
        {"axes:\n  tp: [1]\n  own: {when: tp == 1, values: [1, 2]}\nrequire: [own > 0]\n", "sets no field"},
        {"axes:\n  tp: [1]\n  pp: {when: tp, values: [1, 2]}\n", "not a condition"},
        {"axes:\n  tp: [1]\n  pp: {when: tq == 1, values: [1, 2]}\n", "axes.pp.when: unknown name 'tq'"},
        {"axes:\n  tp: [1]\n  pp: {when: tp == 1}\n", "'values' is missing"},
        {"axes:\n  tp: [1]\n  pp: {when: tp == 1, from: 1, to: 3, values: [1]}\n", "unknown key 'from'"},
    };
    for (const auto& [text, message] : cases) {
        config::Diagnostics diagnostics;
        EXPECT_FALSE(testing::try_compile(text, diagnostics)) << text;
        EXPECT_NE(diagnostics.text().find(message), std::string::npos) << text << diagnostics.text();
    }
}

// Results name every value of a column: found out while reading the sweep, not at its start.
TEST(SpaceCompiler, RefusesAnIdleAxisWhoseFieldIsEmpty) {
    testing::TinyWorkload workload;
    const auto errors = [&](const std::string& model) {
        workload.model = model;
        config::FieldIndex fields;
        fields.add("workload", workload);
        config::Diagnostics diagnostics;
        const config::Node root = config::parse_yaml(
            "axes:\n  tp: [1, 2]\n  model: {when: tp == 2, values: [gpt]}\n", "sweep.yaml", diagnostics);
        SweepSpec spec = read_sweep(root, fields, diagnostics);
        const bool compiles = Space::compile(std::move(spec), fields, diagnostics).has_value();
        EXPECT_EQ(compiles, diagnostics.ok());
        return diagnostics.text();
    };
    EXPECT_EQ(errors("llama"), "");
    EXPECT_NE(errors("").find("state workload.model outside of the axes"), std::string::npos) << errors("");
}

/// workload.narrow holds -128 … 127: what does not fit counts as no value, it is never cut.
TEST(SpaceCompiler, DerivedIntegersStayInTheirField) {
    const auto space = testing::compile("axes:\n  tp: {from: 1, to: 200}\nderive:\n  narrow: tp * 1\n");
    ASSERT_TRUE(space);
    Point point;
    EXPECT_TRUE(space->point(126, point));
    EXPECT_FALSE(space->point(127, point));
}

/// A number without a unit is in SI units, which is hardly meant of 400 bytes per second.
TEST(SpaceCompiler, WarnsOfQuantitiesComparedWithBareNumbers) {
    const auto warnings = [](const std::string& condition) {
        config::Diagnostics diagnostics;
        testing::try_compile("axes: {tp: [1], outer.bandwidth: [200 Gbps]}\n" + condition + "\n",
                             diagnostics);
        std::string texts;
        for (const config::Diagnostic& each : diagnostics.all()) texts += each.path + ": " + each.message;
        return texts;
    };
    EXPECT_EQ(warnings("require: [outer.bandwidth >= 400]"),
              "require.0: 'outer.bandwidth' is in B/s, so that 400 means 400 B/s (write '400 B/s' or '400 "
              "GB/s')");
    EXPECT_EQ(warnings("require: [outer.bandwidth >= '400 Gbps', tp >= 2]"), "");
    EXPECT_EQ(warnings("where: tp == 1 and memory_peak <= 70"),
              "where: 'memory_peak' is in B, so that 70 means 70 B (write '70 B' or '70 GB')");
    EXPECT_EQ(warnings("where: memory_peak <= '70 GiB'"), "");
    EXPECT_EQ(warnings("where: memory_peak <= 0.9 * memory_capacity"), "");
    EXPECT_EQ(warnings("where: mfu >= 0.4"), "");
    EXPECT_NE(warnings("where: mfu >= '4 GB'"), "") << "not a quantity";
}

}  // namespace
}  // namespace dse::space
