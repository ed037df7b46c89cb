#include "dse/study/sweep_schema.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "dse/space/identity.hpp"
#include "study/sweeps.hpp"

namespace dse::study {
namespace {

using results::ColumnKind;
using results::ColumnRole;
using test::SweepFiles;

TEST(SweepSchema, HasAColumnForEveryAxisAndDerivedValue) {
    const SweepFiles files;
    const Sweep sweep = files.load(
        SweepFiles::llama("axes:\n  tp: [1, 2]\n  recompute: [none, full]\n  sequence_parallel: [true]\n"
                          "  scale_out.bandwidth: [100 Gbps]\n  model: [llama3_8b, llama3_70b]\n"
                          "derive: {pp: 4 // tp}\nobjectives: {cost: minimize}\nsearch: {seed: 7}\n"));
    const results::ResultSchema schema = result_schema(sweep, 8);
    ASSERT_EQ(schema.points.size(), 6U);
    const auto expect = [&](std::size_t i, const char* name, ColumnKind kind, ColumnRole role) {
        EXPECT_EQ(schema.points[i].name, name);
        EXPECT_EQ(schema.points[i].kind, kind) << name;
        EXPECT_EQ(schema.points[i].role, role) << name;
    };
    expect(0, "tp", ColumnKind::integer, ColumnRole::axis);
    expect(1, "recompute", ColumnKind::label, ColumnRole::axis);
    expect(2, "sequence_parallel", ColumnKind::flag, ColumnRole::axis);
    expect(3, "scale_out.bandwidth", ColumnKind::real, ColumnRole::axis);
    expect(4, "model", ColumnKind::label, ColumnRole::axis);
    expect(5, "pp", ColumnKind::integer, ColumnRole::derived);
    EXPECT_EQ(schema.points[3].unit, "B/s");
    EXPECT_EQ(schema.points[4].labels, (std::vector<std::string>{"llama3_8b", "llama3_70b"}));
    EXPECT_EQ(schema.sweep.name, "t");
    EXPECT_EQ(schema.sweep.yaml, sweep.yaml);
    EXPECT_EQ(schema.sweep.points, 8U);
    EXPECT_EQ(schema.sweep.seed, 7U);
    EXPECT_EQ(schema.sweep.digest, space::digest(sweep.facts));
    ASSERT_EQ(schema.sweep.objectives.size(), 1U);
    EXPECT_EQ(schema.sweep.objectives[0].metric, "cost");
}

TEST(SweepSchema, HasMetricsOfRequestsWhereSomethingServes) {
    const SweepFiles files;
    const auto has = [&](const std::string& text, const std::string& workload, const char* metric) {
        const auto columns = result_schema(files.load(SweepFiles::llama(text, workload)), 1).metrics;
        return std::any_of(columns.begin(), columns.end(),
                           [&](const results::MetricColumn& column) { return column.name == metric; });
    };
    EXPECT_TRUE(has("axes: {tp: [1]}\n", "", "iteration_time"));
    EXPECT_FALSE(has("axes: {tp: [1]}\n", "", "ttft_p99"));
    EXPECT_FALSE(has("axes: {tp: [1]}\n", "", "serving_steps")) << "the last of them";
    EXPECT_TRUE(has("axes: {tp: [1]}\nobjectives: {ttft_p99: minimize}\n", "", "ttft_p99"));
    EXPECT_TRUE(has("axes: {mode: [decode, serving]}\n", "", "ttft_p99"));
}

}  // namespace
}  // namespace dse::study
