#include <gtest/gtest.h>

#include "dse/space/sweep_spec.hpp"
#include "tiny_sweep.hpp"

namespace dse::space {
namespace {

TEST(SweepSpecYaml, ReadsTheWholePart) {
    const testing::TinyFields fields;
    config::Diagnostics diagnostics;
    const std::string text =
        std::string(testing::layout_sweep) + "search: {method: sobol, budget: 100, seed: 7}\n";
    const SweepSpec spec =
        read_sweep(config::parse_yaml(text, "sweep.yaml", diagnostics), fields.index(), diagnostics);
    EXPECT_TRUE(diagnostics.ok()) << diagnostics.text();
    EXPECT_EQ(spec.name, "layouts");
    ASSERT_EQ(spec.axes.size(), 5U);
    EXPECT_EQ(spec.axes[4].info.path, "system.outer.bandwidth");
    ASSERT_EQ(spec.derived.size(), 1U);
    EXPECT_EQ(spec.derived[0].where.line, 9);
    ASSERT_EQ(spec.requirements.size(), 3U);
    EXPECT_EQ(spec.requirements[2].path, "require.2");
    EXPECT_EQ(spec.search.method, "sobol");
    EXPECT_EQ(spec.search.budget, 100);
    EXPECT_EQ(spec.search.seed, 7);
}

struct BadSweep {
    const char* text;
    const char* message;
};

TEST(SweepSpecYaml, SaysWhatIsWrongAndWhere) {
    const BadSweep cases[] = {
        {"", "a sweep is a map"},
        {"[1]", "a sweep is a map"},
        {"name: x", "'axes' is missing"},
        {"axes:\nname: x", "'axes' is missing"},
        {"axes: {}", "'axes' is empty"},
        {"axes: [tp]", "'axes' is a map"},
        {"axes:\n  tpp: [1]", "sweep.yaml:2:3: error: axes.tpp: no field is called 'tpp'"},
        {"axes:\n  microbach: [1]",
         "did you mean 'microbatch'?), and neither 'derive' nor 'require' uses it"},
        {"axes:\n  bandwidth: [200 Gbps]",
         "sweep.yaml:2:3: error: axes.bandwidth: 'bandwidth' may be system.inner.bandwidth or "
         "system.outer.bandwidth"},
        {"axes:\n  tp: [1]\n  workload.tp: [2]",
         "sweep.yaml:3:3: error: axes.workload.tp: the axis 'tp' (line 2)"},
        {"axes:\n  tp: [1]\nderive: [x]", "'derive' is a map"},
        {"axes:\n  tp: [1]\nderive:\n  2x: tp", "'2x' cannot be a name"},
        {"axes:\n  tp: [1]\nderive:\n  dp: [1]", "expected an expression, found"},
        {"axes:\n  tp: [1]\nderive:\n  tp: 2", "'tp' is an axis already (line 2)"},
        {"axes:\n  tp: [1]\nderive:\n  workload.tp: 2", "'tp' is an axis already (line 2)"},
        {"axes:\n  tp: [1]\nderive:\n  dp: tp\n  workload.dp: tp",
         "'dp' (line 4) sets the same field, workload.dp"},
        {"axes:\n  tp: [1]\nderive:\n  bandwidth: 2.0", "may be system.inner.bandwidth or"},
        {"axes:\n  tp: [1]\nderive:\n  x: 64 / tpp",
         "sweep.yaml:4:11: error: derive.x: unknown name 'tpp' (did you mean 'tp'?) in '64 / tpp'"},
        {"axes:\n  tp: [1]\nderive:\n  x: 64 / (tp", "sweep.yaml:4:14: error: derive.x: expected the ')'"},
        {"axes:\n  tp: [1]\nderive:\n  dp: tp * 0.5",
         "workload.dp holds an integer, the expression gives a real"},
        {"axes:\n  tp: [1]\nderive:\n  model: tp", "holds a name: give names in quotes"},
        {"axes:\n  tp: [1]\nderive:\n  schedule: tp", "workload.schedule holds a label"},
        {"axes:\n  tp: [1]\nderive:\n  schedule: \"'gpip' if tp > 1 else '1f1b'\"", "did you mean 'gpipe'"},
        {"axes:\n  tp: [1]\nderive:\n  a: b\n  b: c + 1\n  c: tp * a",
         "sweep.yaml:4:3: error: derive.a: a cycle: 'a' (sweep.yaml:4:3) needs 'b', 'b' (sweep.yaml:5:3) "
         "needs 'c', "
         "'c' (sweep.yaml:6:3) needs 'a'"},
        {"axes:\n  tp: [1]\nderive:\n  a: a + 1", "a cycle: 'a' (sweep.yaml:4:3) needs 'a'"},
        {"axes:\n  tp: [1]\nrequire:\n  - tp %% 2 == 0", "sweep.yaml:4:9: error: require.0"},
        {"axes:\n  tp: [1]\nrequire:\n  - devices % tp", "is an integer, not a condition"},
        {"axes:\n  tp: [1]\nrequire: {a: b}", "'require' is a list"},
        {"axes:\n  tp: [1]\nrequire:\n  - schedule == 'gpip'",
         "sweep.yaml:4:17: error: require.0: schedule: unknown"},
        {"axes:\n  tp: [1]\nrequire:\n  - bandwidth > 1.0",
         "sweep.yaml:4:5: error: require.0: 'bandwidth' may be"},
        {"axes:\n  tp: [1]\nrequire:\n  - outer.bandwidth >= '4 GB'", "sweep.yaml:4:24: error: require.0"},
        {"axes:\n  tp: [1]\nwhere: memory_peak < 3 and memory_peek < 2", "sweep.yaml:3:28: error: where"},
    };
    for (const BadSweep& bad : cases) {
        config::Diagnostics diagnostics;
        EXPECT_FALSE(testing::try_compile(bad.text, diagnostics)) << bad.text;
        EXPECT_NE(diagnostics.text().find(bad.message), std::string::npos) << bad.text << "\n"
                                                                           << diagnostics.text();
    }
}

TEST(SweepSpecYaml, ReportsAllErrorsAtOnce) {
    config::Diagnostics diagnostics;
    testing::try_compile(
        "axes:\n  tp: []\n  bandwidth: [1]\nderive:\n  x: 1 +\nrequire:\n  - )\n  - tp = 1\n", diagnostics);
    EXPECT_EQ(diagnostics.error_count(), 5U) << diagnostics.text();
    config::Diagnostics names;
    testing::try_compile("axes:\n  tp: [1]\nderive:\n  x: a + b\nrequire:\n  - c > 1\n  - tp > d\n", names);
    EXPECT_EQ(names.error_count(), 4U) << names.text();
}

}  // namespace
}  // namespace dse::space
