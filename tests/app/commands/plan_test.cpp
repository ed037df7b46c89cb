// Also tests: speed_probe.cpp
#include <chrono>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using dse::test::TemporaryFolder;
using test::run_app;
using test::tiny_sweep;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Plan, CountsWhatEachConstraintDrops) {
    // smoke: 4 x 3 x 2 x 3 x 3 x 2 = 432; of its third with pp = 1, gpipe (half) is dropped: 144 / 2 = 72.
    const auto outcome = run_app({"plan", test::smoke_sweep(), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = outcome.json();
    EXPECT_EQ(json["grid"], 432);
    EXPECT_EQ(json["remaining"], 360);
    EXPECT_EQ(json["exact"], true);
    EXPECT_EQ(json["rows"][2]["dropped"], 72);
    EXPECT_THAT(json["rows"][2]["where"].get<std::string>(), HasSubstr("smoke.yaml:"));
    EXPECT_GT(json["points_per_second"].get<double>(), 0.0);
    EXPECT_DOUBLE_EQ(json["seconds"].get<double>(), 360.0 / json["points_per_second"].get<double>());
}

TEST(Plan, AnswersAtOnceForMorePointsThanAnybodyCanRun) {
    const TemporaryFolder folder;
    std::string axes = "axes:\n";
    for (const char* name : {"a", "b", "c", "d", "e"})
        axes += fmt::format("  {}: {{from: 1, to: 1000}}\n", name);
    const std::string sweep =
        folder.write("large.yaml", tiny_sweep(axes + "require: [a % 2 == 0, b + c + d + e > 0]\n"));
    const auto begin = std::chrono::steady_clock::now();
    const auto outcome = run_app({"plan", sweep, "--json"});
    // A second of counting, half of measuring; the rest is for machines that are busy.
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{30});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json()["grid"], 1'000'000'000'000'000ULL);
    EXPECT_NEAR(outcome.json()["remaining"].get<double>(), 5e14, 1e13);
}

TEST(Plan, AnEmptySpaceHasNothingToMeasure) {
    const TemporaryFolder folder;
    const auto outcome = run_app(
        {"plan", folder.write("none.yaml", tiny_sweep("axes: {tp: [3]}\nrequire: [devices % tp == 0]\n")),
         "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json()["remaining"], 0);
    EXPECT_TRUE(outcome.json()["seconds"].is_null());
    const auto search = run_app(
        {"plan", folder.write("none.yaml", tiny_sweep("axes: {tp: [3]}\nrequire: [devices % tp == 0]\n"
                                                      "search: {method: nsga2, budget: 9}\n"))});
    EXPECT_THAT(search.out, HasSubstr("search: nsga2, no point to evaluate"));
}

TEST(Plan, LeavesTheNumberOfPointsToAProof) {
    const TemporaryFolder folder;
    const auto plan = run_app(
        {"plan", folder.write("all.yaml", tiny_sweep("axes: {tp: [1, 2]}\nsearch: {method: proven}\n"))});
    EXPECT_THAT(plan.out, HasSubstr("search: proven, as many points as the proof needs\n")) << plan.err;
}

TEST(Plan, KnowsTheBudgetOfASearch) {
    const TemporaryFolder folder;
    const auto outcome = run_app(
        {"plan",
         folder.write(
             "drawn.yaml",
             tiny_sweep("axes: {tp: [1, 2, 4], microbatch: [1, 2]}\nsearch: {method: sobol, budget: 4}\n")),
         "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json()["points"], 4.0);
    EXPECT_EQ(outcome.json()["search"], "sobol");
}

TEST(Plan, SaysHowLongASearchGoesOn) {
    const TemporaryFolder folder;
    const auto text = [&](const char* search) {
        const std::string file = folder.write(
            "s.yaml",
            tiny_sweep(std::string{"axes: {tp: [1, 2, 4], microbatch: [1, 2]}\nsearch: "} + search));
        const auto outcome = run_app({"plan", file});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.out;
    };
    EXPECT_THAT(text("{method: nsga2, time_budget: 3 s}\n"),
                HasSubstr("search: nsga2, until 3 s have passed"));
    EXPECT_THAT(text("{method: sobol, budget: 4}\n"),
                AllOf(HasSubstr("search: sobol, 4 points to evaluate"), Not(HasSubstr("for all of them"))));
    EXPECT_THAT(text("{method: nsga2, budget: 4}\n"),
                AllOf(HasSubstr("search: nsga2, at most 4 points to evaluate"),
                      HasSubstr(" for all of them on one core")));
}

// A device of one's own stands beside the sweep, wherever dse is called from.
TEST(Plan, AnAxisTakesFilesByTheirPaths) {
    const TemporaryFolder folder;
    folder.write("mine.yaml", "base: h100_sxm\nname: Mine\n");
    const auto plan = [&](const char* value) {
        return run_app({"plan", folder.write("s.yaml", tiny_sweep(fmt::format(
                                                           "axes: {{device: [h100_sxm, {}]}}\n", value)))});
    };
    const auto outcome = plan("./mine.yaml");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("mine.yaml"));
    EXPECT_THAT(plan("./other.yaml").err, HasSubstr("no file './other.yaml'"));
    EXPECT_THAT(plan("mine").err, HasSubstr("named by its path: ./NAME.yaml"));
}

TEST(Plan, TextShowsAxesAndSteps) {
    const auto outcome = run_app({"plan", test::smoke_sweep()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("none, selective, full"));
    EXPECT_THAT(outcome.out, HasSubstr("pp > 1 or schedule == '1f1b'"));
    EXPECT_THAT(outcome.out, HasSubstr("measured on "));
}

}  // namespace
}  // namespace dse::app
