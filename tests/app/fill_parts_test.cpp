// Also tests: commands/parts.cpp, sweep_answers.cpp
#include "app/fill_parts.hpp"

#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/results/hdf5_reader.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using dse::test::TemporaryFolder;
using test::run_app;
using test::tiny_sweep;
using ::testing::HasSubstr;

const std::string axes = "axes:\n  tp: [1, 2, 4, 8]\n  pp: [1, 2]\nrequire: [devices % (tp * pp) == 0]\n";

class FillParts : public ::testing::Test {
  protected:
    void SetUp() override { dist::clear_stop_request(); }

    /// What the results of a run of a sweep of seven points say.
    results::Table run(const std::string& parts, const std::vector<std::string>& more = {}) {
        std::vector<std::string> arguments{folder_.write("tiny.yaml", tiny_sweep(axes)), "-o", output(),
                                           "--parts", parts};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto outcome = run_app(arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return results::read_results(output());
    }
    [[nodiscard]] std::string output() const { return folder_.path("out.h5"); }

    static std::size_t known(const results::Table& table) {
        const auto times = table.metric("compute_time");
        return static_cast<std::size_t>(
            std::count_if(times.begin(), times.end(), [](double time) { return !std::isnan(time); }));
    }
    static std::size_t feasible(const results::Table& table) {
        return static_cast<std::size_t>(
            std::count(table.status.begin(), table.status.end(), space::Status::ok));
    }
    TemporaryFolder folder_;
};

/// In all metrics, those that are not there included.
void expect_equal(const results::Table& a, const results::Table& b) {
    ASSERT_EQ(a.rows(), b.rows());
    for (std::size_t metric = 0; metric < a.metrics.size(); ++metric) {
        for (std::size_t row = 0; row < a.rows(); ++row) {
            const double one = a.metrics[metric][row];
            const double other = b.metrics[metric][row];
            EXPECT_TRUE(one == other || (std::isnan(one) && std::isnan(other)))
                << a.schema.metrics[metric].name << " of row " << row;
        }
    }
}

/// Each row's parts, where it has any, sum to its time.
void expect_sums(const results::Table& table) {
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (std::isnan(table.metric("compute_time")[row])) continue;
        double sum = 0.0;
        for (const char* part : {"compute_time", "exposed_tp", "exposed_cp", "exposed_ep", "exposed_dp",
                                 "exposed_pp", "idle", "bubble"}) {
            sum += table.metric(part)[row];
        }
        EXPECT_EQ(sum, table.metric("iteration_time")[row]) << row;
    }
}

TEST_F(FillParts, ARunFillsInThoseOfTheFront) {
    const results::Table table = run("front");
    EXPECT_GT(known(table), 0U);
    EXPECT_LT(known(table), feasible(table));
    expect_sums(table);
}

/// Rows of a front that is not the last have none, wherever a run was stopped.
TEST_F(FillParts, DoNotDependOnWhereARunWasStopped) {
    const results::Table at_once = run("front");
    ASSERT_TRUE(std::filesystem::remove(output()));
    for (const char* points : {"2", "3"}) EXPECT_EQ(known(run("front", {"--limit", points})), 0U);
    const results::Table in_steps = run("front");
    EXPECT_GT(known(in_steps), 0U);
    expect_equal(at_once, in_steps);
    expect_equal(in_steps, run("front"));
}

TEST_F(FillParts, NoneAndAllAreToBeHad) {
    EXPECT_EQ(known(run("none")), 0U);
    ASSERT_TRUE(std::filesystem::remove(output()));
    const results::Table table = run("all");
    EXPECT_EQ(known(table), feasible(table));
    expect_sums(table);
}

/// Whenever they come, they are the same, and nothing else changes.
TEST_F(FillParts, FilledInLaterTheyAreThoseOfTheRun) {
    const results::Table all = run("all");
    ASSERT_TRUE(std::filesystem::remove(output()));
    run("none");
    const auto front = run_app({"parts", output()});
    EXPECT_EQ(front.code, 0) << front.err;
    EXPECT_THAT(front.out, HasSubstr("parts of their iteration time"));
    EXPECT_LT(known(results::read_results(output())), feasible(all));
    EXPECT_THAT(run_app({"parts", output()}).out,
                HasSubstr("already have the parts of their iteration time"));
    EXPECT_EQ(run_app({"parts", output(), "--all"}).code, 0);
    const results::Table filled = results::read_results(output());
    expect_equal(all, filled);
    EXPECT_THAT(run_app({"parts", output(), "--all"}).out,
                HasSubstr("already have the parts of their iteration time"));
}

TEST_F(FillParts, AnObjectiveThatIsAPartIsAskedOfAllRows) {
    const auto outcome = run_app(
        {folder_.write("tiny.yaml",
                       tiny_sweep(axes + "objectives: {iteration_time: minimize, bubble: minimize}\n")),
         "-o", output(), "--parts", "none"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const results::Table table = results::read_results(output());
    EXPECT_EQ(known(table), feasible(table));
}

TEST_F(FillParts, OfAnotherSweepNothingIsWritten) {
    run("none");
    const auto outcome =
        run_app({"parts", output(), folder_.write("tiny.yaml", tiny_sweep("axes: {tp: [1, 2]}\n"))});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("another sweep"));
    EXPECT_EQ(known(results::read_results(output())), 0U);
}

}  // namespace
}  // namespace dse::app
