// Also tests: effects_report.cpp, price_report.cpp, carried_sweep.cpp
// Also tests: sweep_of_results.cpp
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/carried_sweep.hpp"
#include "app/run_app.hpp"
#include "dse/base/temporary_path.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app::test {
namespace {

using ::testing::HasSubstr;

class SensitivityTest : public ::testing::Test {
  protected:
    std::string run(const std::string& yaml) {
        std::ofstream{folder_.path("sweep.yaml")} << yaml;
        const Outcome outcome = run_app({"run", folder_.path("sweep.yaml"), "-o", folder_.path("rows.h5")});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return folder_.path("rows.h5");
    }
    dse::test::TemporaryFolder folder_;
};

TEST_F(SensitivityTest, SaysWhichAxesDecide) {
    const std::string file =
        run("name: sum\naxes: {x: [0, 1, 2], y: [0, 1, 2], spare: [1, 2]}\n"
            "exec: {command: [sh, -c, 'echo \"{\\\"z\\\": $(({x}+2*{y}))}\"'], input: arguments, metrics: "
            "{z: m}}\n");
    const Outcome text = run_app({"sensitivity", file});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("sum: 18 rows, 18 of 18 feasible"));
    EXPECT_THAT(text.out, HasSubstr("feasible: the same in all rows"));
    EXPECT_THAT(text.out, HasSubstr("Axes without any effect: spare"));
    const auto json = run_app({"sensitivity", file, "--json"}).json();
    const auto& axes = json["rows"][0]["axes"];
    EXPECT_EQ(axes[0]["axis"], "y") << "what decides most comes first";
    EXPECT_NEAR(axes[0]["first"].get<double>(), 0.8, 1e-12);
    EXPECT_NEAR(axes[1]["total"].get<double>(), 0.2, 1e-12);
    EXPECT_EQ(json["idle"][0], "spare");
    EXPECT_TRUE(json["prices"].empty()) << "the program's machine is its own";
    const auto some = run_app({"sensitivity", file, "--where", "z < 3", "--json"}).json();
    EXPECT_EQ(some["rows"][1]["quantity"], "feasible");
    EXPECT_FALSE(some["rows"][1]["constant"].get<bool>());
}

// As of results in an archive.
TEST(CarriedSweep, IsWrittenElsewhereWhereItsFolderCannotBeWritten) {
    const CarriedSweep carried{"/no/such/folder/rows.h5", "name: t\n"};
    EXPECT_EQ(std::filesystem::path{carried.path()}.parent_path(), temporary_folder());
    EXPECT_TRUE(std::filesystem::exists(carried.path()));
}

// Machines are valued as the run saw them, not as the copy of the sweep has them without the run's settings.
TEST_F(SensitivityTest, HasTheSettingsOfTheRun) {
    const std::string sweep = folder_.write(
        "sweep.yaml", tiny_sweep("axes: {tp: [2, 4, 8]}\nobjectives: {iteration_time: minimize}\n"));
    const std::string file = folder_.path("rows.h5");
    ASSERT_EQ(run_app({"run", sweep, "-o", file, "--set", "fidelity.compute=table"}).code, 0);
    const Outcome as_run = run_app({"sensitivity", file});
    EXPECT_EQ(as_run.code, 0) << as_run.err;
    EXPECT_THAT(as_run.out, HasSubstr("tiny (--set fidelity.compute=table): 3 rows"));
    EXPECT_EQ(run_app({"sensitivity", file, "--set", "fidelity.compute=table"}).code, 0);
    const Outcome other = run_app({"sensitivity", file, "--set", "fidelity.compute=roofline"});
    EXPECT_EQ(other.code, 2);
    EXPECT_THAT(other.err, HasSubstr("the run had --set fidelity.compute=table"));
    EXPECT_THAT(other.err, HasSubstr("fidelity.compute: was table, now roofline"));
}

TEST_F(SensitivityTest, PricesTheMachineAlongTheFront) {
    const std::string file =
        run(tiny_sweep("axes: {tp: [2, 4, 8]}\nobjectives: {iteration_time: minimize}\n"));
    const auto json = run_app({"sensitivity", file, "--json", "--prices", "1"}).json();
    ASSERT_EQ(json["prices"].size(), 1U);
    bool memory_helps = false;
    for (const auto& price : json["prices"][0]["prices"]) {
        EXPECT_EQ(price["metric"], "iteration_time");
        if (price["field"] == "system.cluster.device.memory.bandwidth")
            memory_helps = price["more"].get<double>() < 0.0 && price["unit"] == "GB/s";
    }
    EXPECT_TRUE(memory_helps);
    EXPECT_THAT(run_app({"sensitivity", file}).out, HasSubstr("What one unit is worth at point"));
    EXPECT_FALSE(std::filesystem::exists(file + ".sweep"));
    for (const auto& entry : std::filesystem::directory_iterator{folder_.path("")})
        EXPECT_EQ(entry.path().string().find(".sweep-"), std::string::npos) << "the carried sweep is removed";
}

TEST_F(SensitivityTest, HasNothingToSayWhereNothingIsFeasible) {
    const std::string file = run(tiny_sweep("axes: {tp: [2, 4]}\nobjectives: {iteration_time: minimize}\n"));
    const Outcome outcome = run_app({"sensitivity", file, "--where", "iteration_time < 0"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("no feasible point"));
}

}  // namespace
}  // namespace dse::app::test
