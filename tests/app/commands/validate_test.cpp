#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using dse::test::TemporaryFolder;
using test::run_app;
using testing::HasSubstr;

TEST(Validate, ErrorsFollowFromPredictedAndMeasured) {
    const auto outcome = run_app({"validate", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = outcome.json();
    ASSERT_GE(json["rows"].size(), 10U);
    double sum = 0.0;
    double compared = 0.0;
    for (const auto& row : json["rows"]) {
        if (row["metric"] == "ran" || row["metric"] == "out_of_memory") continue;
        if (row["error"].is_null()) {
            EXPECT_NE(row["why"], "") << row["id"];
            continue;
        }
        const double error = row["error"];
        EXPECT_NEAR(error, row["predicted"].get<double>() / row["measured"].get<double>() - 1.0, 1e-12);
        if (row["metric"] != "iteration_time") continue;
        sum += std::abs(error);
        compared += 1.0;
    }
    EXPECT_NEAR(json["summary"].back()["mean_absolute_error"].get<double>(), sum / compared, 1e-12);
}

TEST(Validate, BarsAndFamiliesStandInTheRows) {
    const auto json = run_app({"validate", "--json"}).json();
    const auto& row = json["rows"][0];
    EXPECT_EQ(row["device"], "NVIDIA A100 SXM 80 GB");
    EXPECT_EQ(row["template"], "gpt");
    EXPECT_LT(row["low"].get<double>(), row["predicted"].get<double>());
    EXPECT_GT(row["high"].get<double>(), row["predicted"].get<double>());
    EXPECT_GT(json["summary"].back()["inside"].get<double>(), 0.5);
}

/// Published runs out of memory: nine tenths of them are refused, and none that ran.
TEST(Validate, RefusesWhatRanOutOfMemory) {
    const auto memory = run_app({"validate", "--json"}).json()["memory"];
    const auto cells = memory["out_of_memory"].get<std::size_t>();
    EXPECT_GE(cells, 15U);
    EXPECT_LE(10 * memory["out_of_memory_accepted"].size(), cells) << memory["out_of_memory_accepted"];
    EXPECT_GE(memory["ran"].get<std::size_t>(), 19U);
    EXPECT_TRUE(memory["ran_refused"].empty()) << memory["ran_refused"];
    const auto text = run_app({"validate"}).out;
    EXPECT_THAT(text, HasSubstr("runs that ran out of memory"));
    EXPECT_THAT(text, HasSubstr("energy of servers"));
}

TEST(Validate, MissedBoundsAreANo) {
    EXPECT_EQ(run_app({"validate", "--bound", "0.0001"}).code, 1);
}

TEST(Validate, PrintsSourcesAndRows) {
    const auto outcome = run_app({"validate", "--rows"});
    EXPECT_THAT(outcome.out, HasSubstr("predicted"));
    EXPECT_THAT(outcome.out, HasSubstr("constant MFU"));
}

TEST(Validate, PredictsWithAnyNetwork) {
    const auto error_under = [](const char* network) {
        const auto outcome = run_app({"validate", "--network", network, "--json"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.json()["summary"].back()["mean_absolute_error"].get<double>();
    };
    EXPECT_NE(error_under("latency_bandwidth"), error_under("nccl"));
    const auto unknown = run_app({"validate", "--network", "ncl"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("did you mean 'nccl'?"));
}

TEST(Validate, PredictsWithAnyComputeModel) {
    const auto under = [](const char* model) {
        return run_app({"validate", "--compute", model, "--bound", "10", "--json"}).json();
    };
    EXPECT_NE(under("roofline")["summary"].back()["mean_absolute_error"],
              under("table")["summary"].back()["mean_absolute_error"]);
    const auto rows = under("systolic")["rows"];
    EXPECT_TRUE(rows[0]["predicted"].is_null());
    EXPECT_THAT(rows[0]["why"].get<std::string>(), HasSubstr("no systolic array")) << "of an A100";
    EXPECT_EQ(run_app({"validate", "--compute", "rofline"}).code, 2);
}

TEST(Validate, RefusesATableThatIsNone) {
    const TemporaryFolder folder;
    for (const std::string& file : {folder.path("nowhere.csv"), folder.write("empty.csv", "")}) {
        EXPECT_EQ(run_app({"validate", "--truth", file}).code, 2) << file;
    }
}

}  // namespace
}  // namespace dse::app
