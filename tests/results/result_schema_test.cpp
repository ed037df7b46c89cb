#include "dse/results/result_schema.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "results/sample_sweep.hpp"

namespace dse::results::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ResultSchema, AcceptsTheSample) {
    EXPECT_NO_THROW(validate(sample_schema()));
}

TEST(ResultSchema, RefusesNamesThatNoFileCanHold) {
    for (const char* name : {"", ".", "a/b", "flash"}) {
        ResultSchema schema = sample_schema();
        schema.points[0].name = name;
        EXPECT_THROW(validate(schema), InputError) << name;
    }
}

TEST(ResultSchema, RefusesLabelsThatCannotBeToldApart) {
    for (const auto& labels : {std::vector<std::string>{}, {"a", "a"}, {"a", ""}}) {
        ResultSchema schema = sample_schema();
        schema.points[3].labels = labels;
        EXPECT_THROW(validate(schema), InputError);
    }
}

TEST(ResultSchema, HasAColumnForEachMetric) {
    const auto columns = metric_columns();
    ASSERT_EQ(columns.size(), metrics::metric_fields().size());
    EXPECT_EQ(columns[0], (MetricColumn{"iteration_time", "s"}));
}

TEST(ResultSchema, HasATitleWithItsSettings) {
    SweepIdentity sweep = sample_schema().sweep;
    EXPECT_EQ(title(sweep), "sample");
    sweep.settings = {"tp=8", "zero=3"};
    EXPECT_EQ(title(sweep), "sample (--set tp=8 --set zero=3)");
}

TEST(Differences, AreNoneOfASweepToItself) {
    EXPECT_THAT(differences(sample_schema(), sample_schema()), IsEmpty());
    // What decides no row makes no difference.
    ResultSchema other = sample_schema();
    other.sweep.objectives.clear();
    other.sweep.yaml += "# a comment\n";
    EXPECT_THAT(differences(sample_schema(), other), IsEmpty());
}

TEST(Differences, NameEachFactThatChanged) {
    ResultSchema now = sample_schema();
    now.sweep.digest = digest("changed");
    now.sweep.facts = {{"axes.tp", "1 2"}, {"seed", "7"}};
    EXPECT_THAT(differences(sample_schema(), now),
                ElementsAre("axes.tp: was 1 2 4, now 1 2", "seed: not there before, now 7",
                            "workload.model: was llama, now gone"));
}

TEST(Differences, NameColumnsThatChanged) {
    ResultSchema now = sample_schema();
    now.points[3].labels.emplace_back("zb_h1");
    EXPECT_THAT(differences(sample_schema(), now),
                ElementsAre("axes and derived values schedule: another type, unit or list of labels"));
    now = sample_schema();
    now.points.pop_back();
    now.metrics.resize(1);
    const auto lines = differences(sample_schema(), now);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_THAT(lines[0], testing::HasSubstr("schedule dp, now tp cluster.network.bandwidth flash schedule"));
    EXPECT_THAT(lines[1], testing::EndsWith("now iteration_time"));
}

TEST(Differences, NameAnAxisButNotTheFieldThatItSets) {
    ResultSchema before = sample_schema();
    before.sweep.facts = {{"axes.0.tp", "1, 2"}, {"workload.tp", "1"}, {"workload.pp", "1"}};
    ResultSchema now = before;
    now.sweep.facts = {{"axes.0.tp", "4"}, {"workload.tp", "4"}, {"workload.pp", "2"}};
    now.sweep.digest = digest("changed");
    EXPECT_THAT(differences(before, now),
                ElementsAre("axes.tp: was 1, 2, now 4", "workload.pp: was 1, now 2"));
}

/// A pp in front of the bandwidth changes its position, not its values.
TEST(Differences, ShowValuesOfAxesInTheUnitsOfTheSweep) {
    const std::string name = "cluster.network.bandwidth";
    ResultSchema before = sample_schema();
    const auto bandwidth = std::ranges::find(before.points, name, &Column::name);
    ASSERT_NE(bandwidth, before.points.end());
    bandwidth->unit = "B/s";
    bandwidth->shown_unit = "Gbps";
    ResultSchema now = before;
    now.sweep.digest = digest("changed");
    before.sweep.facts = {{"axes.0." + name, "25000000000, 50000000000"}};
    now.sweep.facts = {{"axes.0.pp", "1, 2"},
                       {"axes.1." + name, "25000000000, 50000000000, … 1e+11 (7 values)"}};
    EXPECT_THAT(differences(before, now),
                ElementsAre("axes.pp: not there before, now 1, 2",
                            "axes." + name +
                                ": was 200 Gbps, 400 Gbps, now 200 Gbps, 400 Gbps, … 800 Gbps (7 values)"));
    now.sweep.facts = {{"axes.0.pp", "1, 2"}, {"axes.1." + name, "25000000000, 50000000000"}};
    EXPECT_THAT(differences(before, now), ElementsAre("axes.pp: not there before, now 1, 2"));
    now.sweep.facts = {{"axes.0." + name, "25000000000, 50000000001"}};
    EXPECT_THAT(differences(before, now),
                ElementsAre("axes." + name + ": was 25000000000, 50000000000, now 25000000000, 50000000001"));
}

TEST(Differences, NeverPassOverAChangedDigest) {
    ResultSchema now = sample_schema();
    now.sweep.digest = digest("changed");
    EXPECT_THAT(differences(sample_schema(), now),
                ElementsAre(testing::HasSubstr(to_string(digest("changed")))));
}

}  // namespace
}  // namespace dse::results::test
