#include "app/sweep_answers.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "dse/dist/stop_signal.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app::test {
namespace {

using ::testing::HasSubstr;

class SweepAnswersTest : public ::testing::Test {
  protected:
    std::string write(const std::string& yaml) {
        std::ofstream{folder_.path("sweep.yaml")} << yaml;
        return folder_.path("sweep.yaml");
    }
    std::string rows() { return run_app({"export", out_, "--csv"}).out; }

    dse::test::TemporaryFolder folder_;
    std::string out_ = folder_.path("rows.h5");
};

constexpr const char* square =
    "name: square\naxes: {n: {from: 0, to: 9}}\n"
    "exec: {command: [sh, -c, 'echo \"{\\\"area\\\": $(({n}*{n}))}\"'], input: arguments, metrics: {area: "
    "mm2}}\n";

TEST_F(SweepAnswersTest, AreAProgramsWhereTheSweepNamesOne) {
    const std::string sweep = write(std::string{square} + "metrics: {rest: 20 - area}\nwhere: rest > 0\n");
    const Outcome run = run_app({"run", sweep, "-o", out_});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("area"));
    const auto cells = csv_rows(rows());
    ASSERT_EQ(cells.size(), 11U);
    const auto& heading = cells.front();
    const auto column = [&](const std::string& name) {
        return static_cast<std::size_t>(std::find(heading.begin(), heading.end(), name) - heading.begin());
    };
    EXPECT_EQ(cells[4][column("area")], "9");
    EXPECT_EQ(cells[4][column("rest")], "11");
    const auto best = run_app({"pareto", out_, "--objectives", "rest", "--json"}).json();
    EXPECT_EQ(best["rows"][0]["point"]["n"], 4) << "of those that keep `where`";
    EXPECT_EQ(run_app({"plan", sweep}).code, 0);
    EXPECT_EQ(run_app({"point", sweep}).code, 2) << "dse knows nothing of such a point";
}

TEST_F(SweepAnswersTest, OfAProgramAreSearchedAndGoOn) {
    const std::string sweep = write(std::string{square} +
                                    "search: {method: [nsga2, refine], budget: 8, population: 4, seed: 3}\n"
                                    "objectives: {area: minimize}\n");
    ASSERT_EQ(run_app({"run", sweep, "-o", folder_.path("whole.h5")}).code, 0);
    const std::string whole = run_app({"pareto", folder_.path("whole.h5"), "--json"}).out;
    ASSERT_EQ(run_app({"run", sweep, "-o", out_, "--limit", "3"}).code, 0);
    ASSERT_EQ(run_app({"run", sweep, "-o", out_}).code, 0);
    EXPECT_EQ(run_app({"pareto", out_, "--json"}).out, whole);
}

TEST_F(SweepAnswersTest, DeriveMetricsOfASimulation) {
    const std::string sweep =
        write(tiny_sweep("axes: {tp: [2, 4, 8]}\nmetrics: {joules: energy / tp}\n"
                         "objectives: {joules: minimize, iteration_time: minimize}\n"));
    ASSERT_EQ(run_app({"run", sweep, "-o", out_}).code, 0);
    const auto best = run_app({"pareto", out_, "--json"}).json();
    EXPECT_EQ(best["objectives"]["joules"], "minimize");
    for (const auto& row : best["rows"]) {
        const auto& metrics = row["metrics"];
        EXPECT_DOUBLE_EQ(metrics["joules"].get<double>() * row["point"]["tp"].get<double>(),
                         metrics["energy"].get<double>());
        EXPECT_FALSE(metrics["compute_time"].is_null()) << "the parts of the front are filled in";
    }
}

}  // namespace
}  // namespace dse::app::test
