// Also tests: commands/pareto.cpp, commands/export.cpp, commands/merge.cpp, commands/report.cpp
// Also tests: csv.cpp, force.cpp, python.cpp, unsealed.cpp
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/csv.hpp"
#include "app/run_app.hpp"
#include "dse/metrics/pareto.hpp"
#include "dse/results/hdf5_reader.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using dse::test::TemporaryFolder;
using test::run_app;
using test::tiny_sweep;
using testing::HasSubstr;

const std::string axes = "axes:\n  tp: [1, 2, 4, 8]\n  zero: [0, 1, 3]\n";

/// Results of a sweep of twelve points.
class ResultsCommands : public testing::Test {
  protected:
    void SetUp() override {
        sweep_ = folder_.write("tiny.yaml", tiny_sweep(axes));
        ASSERT_EQ(run_app({sweep_, "-o", file_}).code, 0);
    }
    TemporaryFolder folder_;
    std::string sweep_;
    std::string file_ = folder_.path("out.h5");
};

/// All that is on the front, and more: layouts that are as fast for all that is known.
TEST_F(ResultsCommands, ParetoAddsWhatErrorsDoNotTellFromTheFront) {
    const auto of_time = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments{"pareto", file_, "--objectives", "iteration_time", "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_app(arguments).json();
    };
    const auto front = of_time({});
    const auto robust = of_time({"--robust"});
    ASSERT_EQ(front["front_size"], 1U);
    EXPECT_EQ(robust["undominated"], 1U);
    ASSERT_GT(robust["front_size"].get<std::size_t>(), 1U);
    EXPECT_LT(robust["front_size"].get<std::size_t>(), 12U);
    EXPECT_EQ(robust["rows"][0], front["rows"][0]);
    const double best = front["rows"][0]["metrics"]["iteration_time"];
    for (const auto& row : robust["rows"]) {
        const double high = row["metrics"]["iteration_time_high"];
        const double time = row["metrics"]["iteration_time"];
        // An error of a ratio is at most √2 times one of a time.
        EXPECT_LE(std::log(time / best), std::sqrt(2.0) * std::log(high / time));
    }
    EXPECT_THAT(run_app({"pareto", file_, "--robust"}).out, HasSubstr("are indistinguishable from the"));
}

TEST_F(ResultsCommands, ParetoNamesTheRowsThatNothingDominates) {
    const auto outcome = run_app({"pareto", file_, "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto rows = outcome.json()["rows"];
    const results::Table table = results::read_results(file_);
    const auto time = table.metric("iteration_time");
    const auto memory = table.metric("memory_peak");
    std::size_t expected = 0;
    for (std::size_t i = 0; i < table.rows(); ++i) {
        bool dominated = table.status[i] != space::Status::ok;
        for (std::size_t j = 0; j < table.rows(); ++j) {
            if (table.status[j] != space::Status::ok) continue;
            dominated = dominated || (time[j] <= time[i] && memory[j] <= memory[i] &&
                                      (time[j] < time[i] || memory[j] < memory[i]));
        }
        if (!dominated) ++expected;
    }
    EXPECT_EQ(rows.size(), expected);
    EXPECT_EQ(outcome.json()["front_size"], expected);
    for (std::size_t i = 1; i < rows.size(); ++i) {
        EXPECT_GE(rows[i]["metrics"]["iteration_time"], rows[i - 1]["metrics"]["iteration_time"]);
    }
}

TEST_F(ResultsCommands, ParetoTakesOtherObjectives) {
    const auto json = run_app({"pareto", file_, "--objectives", "mfu:maximize", "--json"}).json();
    ASSERT_GE(json["rows"].size(), 1U);
    const results::Table table = results::read_results(file_);
    double best = 0.0;
    for (const double mfu : table.metric("mfu")) best = std::max(best, std::isnan(mfu) ? 0.0 : mfu);
    EXPECT_EQ(json["rows"][0]["metrics"]["mfu"].get<double>(), best);
    EXPECT_EQ(run_app({"pareto", file_, "--objectives", "mfuu"}).code, 2);
}

TEST_F(ResultsCommands, ParetoTopCutsTheFront) {
    const auto json = run_app({"pareto", file_, "--top", "1", "--json"}).json();
    EXPECT_EQ(json["rows"].size(), 1U);
    EXPECT_GT(json["front_size"], 1);
    EXPECT_THAT(run_app({"pareto", file_, "--top", "1"}).out, HasSubstr("more (--top)"));
}

TEST_F(ResultsCommands, ParetoCsvIsReadable) {
    const auto rows = test::csv_rows(run_app({"pareto", file_, "--csv"}).out);
    ASSERT_GE(rows.size(), 2U);
    EXPECT_EQ(rows[0][0], "point_id");
    EXPECT_EQ(rows[1].size(), rows[0].size());
    EXPECT_EQ(rows[1][1], "ok");
}

TEST_F(ResultsCommands, ExportHasEveryRowWithEveryDigit) {
    const auto rows = test::csv_rows(run_app({"export", file_, "--csv"}).out);
    const results::Table table = results::read_results(file_);
    ASSERT_EQ(rows.size(), table.rows() + 1);
    const auto column = static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), "iteration_time") -
                                                 rows[0].begin());
    for (std::size_t i = 0; i < table.rows(); ++i) {
        const std::string& cell = rows[i + 1][column];
        const double value = table.metric("iteration_time")[i];
        if (std::isnan(value)) {
            EXPECT_EQ(cell, "");
        } else {
            EXPECT_EQ(std::stod(cell), value);
        }
    }
    const auto to_file = run_app({"export", file_, "--csv", "-o", folder_.path("rows.csv")});
    EXPECT_EQ(to_file.code, 0);
    EXPECT_EQ(test::csv_rows(dse::test::read_file(folder_.path("rows.csv"))), rows);
}

TEST_F(ResultsCommands, MergePutsPartsTogether) {
    const std::string part = folder_.path("part.h5");
    ASSERT_EQ(run_app({sweep_, "-o", part, "--limit", "5"}).code, 0);
    const std::string all = folder_.path("all.h5");
    const auto outcome = run_app({"merge", part, file_, "-o", all});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("12 rows, 5 duplicates dropped"));
    EXPECT_THAT(outcome.out, testing::Not(HasSubstr("INCOMPLETE")));
    EXPECT_THAT(run_app({"merge", part, "-o", folder_.path("few.h5")}).out,
                HasSubstr("INCOMPLETE: 7 of 12 configurations have not been evaluated"));
    for (const char* command : {"pareto", "best"}) {
        EXPECT_THAT(run_app({command, folder_.path("few.h5")}).err,
                    HasSubstr("few.h5 is INCOMPLETE: 7 of 12 configurations have not been evaluated"));
        EXPECT_EQ(run_app({command, file_}).err, "");
    }
    EXPECT_EQ(results::read_results(all).rows(), 12U);
    EXPECT_EQ(run_app({"merge", part, file_, "-o", all}).code, 2) << "must not overwrite";
}

TEST_F(ResultsCommands, MergeRefusesAnotherSweep) {
    const std::string other = folder_.path("other.h5");
    ASSERT_EQ(run_app({sweep_, "-o", other, "--set", "global_batch=16"}).code, 0);
    const auto outcome = run_app({"merge", other, file_, "-o", folder_.path("all.h5")});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("global_batch"));
}

TEST_F(ResultsCommands, ReadersRefuseWhatIsNoResultsFile) {
    const std::string text = folder_.write("text.h5", "not HDF5\n");
    for (const char* command : {"pareto", "report"}) {
        const auto outcome = run_app({command, text});
        EXPECT_EQ(outcome.code, 2) << command;
        EXPECT_THAT(outcome.err, HasSubstr("text.h5"));
    }
    EXPECT_EQ(run_app({"export", text, "--csv"}).code, 2);
}

TEST_F(ResultsCommands, ReportSaysWhatPythonLacks) {
    setenv("DSE_PYTHON", "/bin/false", 1);
    const auto outcome = run_app({"report", file_, "-o", folder_.path("a.png")});
    unsetenv("DSE_PYTHON");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("matplotlib"));
}

/// An interpreter that has every package and writes down what it is asked.
class FakePython {
  public:
    explicit FakePython(const TemporaryFolder& folder, int code) : log_{folder.path("asked")} {
        const std::string script =
            folder.write("python", fmt::format("#!/bin/sh\ncase \"$2\" in \"import h5py\"*) exit 0;; esac\n"
                                               "echo \"$PYTHONPATH\" \"$@\" > {}\nexit {}\n",
                                               log_, code));
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
        setenv("DSE_PYTHON", script.c_str(), 1);
    }
    ~FakePython() { unsetenv("DSE_PYTHON"); }
    FakePython(const FakePython&) = delete;
    FakePython& operator=(const FakePython&) = delete;

    [[nodiscard]] std::string asked() const { return dse::test::read_file(log_); }

  private:
    std::string log_;
};

TEST_F(ResultsCommands, NothingIsOverwrittenUnasked) {
    const FakePython python{folder_, 0};
    const std::string there = folder_.write("there.png", "mine");
    const std::string link = folder_.path("link.csv");
    std::filesystem::create_symlink(there, link);
    for (const auto& command :
         std::vector<std::vector<std::string>>{{"export", file_, "--csv", "-o", there},
                                               {"export", file_, "--csv", "-o", link},
                                               {"export", file_, "--parquet", "-o", there},
                                               {"report", file_, "-o", there}}) {
        const auto outcome = run_app(command);
        EXPECT_EQ(outcome.code, 2) << command[1];
        EXPECT_THAT(outcome.err, HasSubstr("already exists")) << command[1];
        EXPECT_EQ(dse::test::read_file(there), "mine");
    }
    EXPECT_EQ(run_app({"report", file_, "-o", there, "--force"}).code, 0);
    EXPECT_EQ(run_app({"export", file_, "--csv", "-o", there, "--force"}).code, 0);
    EXPECT_THAT(dse::test::read_file(there), testing::StartsWith("point_id"));
}

TEST_F(ResultsCommands, ReportCallsTheAnalysis) {
    const FakePython python{folder_, 0};
    EXPECT_EQ(run_app({"report", file_, "-o", folder_.path("a.svg")}).code, 0);
    EXPECT_THAT(python.asked(), HasSubstr("/analysis"));
    EXPECT_THAT(python.asked(),
                HasSubstr("-m dse_analysis " + file_ + " --summary -o " + folder_.path("a.svg")));
}

TEST_F(ResultsCommands, ReportOfTwoFidelitiesIsOfTheConfirmedRows) {
    const std::string sweep = folder_.write(
        "screened.yaml", tiny_sweep(axes + "search: {method: screen, budget: 6, population: 4}\n"
                                           "confirm: {engine: event}\n"));
    const std::string file = folder_.path("screened.h5");
    ASSERT_EQ(run_app({sweep, "-o", file}).code, 0);
    const FakePython python{folder_, 0};
    EXPECT_EQ(run_app({"report", file, "-o", folder_.path("b.svg"), "--where", "tp > 1"}).code, 0);
    EXPECT_THAT(python.asked(), HasSubstr("--where=tp > 1 --where=confirmed == 1"));
}

TEST_F(ResultsCommands, ReportsPageNeedsNoMatplotlib) {
    setenv("DSE_PYTHON", "/bin/false", 1);
    const auto outcome = run_app({"report", file_, "-o", folder_.path("a.html")});
    unsetenv("DSE_PYTHON");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, ::testing::AllOf(HasSubstr("plotly"), ::testing::Not(HasSubstr("matplotlib"))));
}

TEST_F(ResultsCommands, ReportPassesFailureOn) {
    const FakePython python{folder_, 1};
    EXPECT_EQ(run_app({"report", file_}).code, 2);
}

TEST_F(ResultsCommands, ParquetIsPythons) {
    const FakePython python{folder_, 0};
    EXPECT_EQ(run_app({"export", file_, "--parquet", "-o", folder_.path("a.parquet")}).code, 0);
    EXPECT_THAT(python.asked(), HasSubstr("-m dse_analysis.parquet"));
    EXPECT_THAT(python.asked(), HasSubstr(folder_.path("a.parquet")));
    EXPECT_EQ(run_app({"export", file_, "--parquet"}).code, 2);
}

/// A results file whose seal is gone, as after another program has written to it.
class UnsealedResults : public ResultsCommands {
  protected:
    void SetUp() override {
        ResultsCommands::SetUp();
        const std::string bytes = dse::test::read_file(file_);
        folder_.write("out.h5", bytes.substr(0, bytes.size() - 16));
    }
};

TEST_F(UnsealedResults, AreRefused) {
    const FakePython python{folder_, 0};
    const std::string other = folder_.path("other.h5");
    for (const auto& command :
         std::vector<std::vector<std::string>>{{"pareto", file_},
                                               {"export", file_, "--csv"},
                                               {"export", file_, "--parquet", "-o", other},
                                               {"merge", file_, "-o", other},
                                               {"report", file_}}) {
        const auto outcome = run_app(command);
        EXPECT_EQ(outcome.code, 2) << command.front();
        EXPECT_THAT(outcome.err, HasSubstr("no valid seal")) << command.front();
        EXPECT_THAT(outcome.err, HasSubstr("--unsealed")) << command.front();
    }
    EXPECT_FALSE(std::filesystem::exists(other));
}

TEST_F(UnsealedResults, AreReadAndMarkedWhenAskedFor) {
    EXPECT_EQ(run_app({"pareto", file_, "--json", "--unsealed"}).json()["unsealed"], true);
    EXPECT_THAT(run_app({"pareto", file_, "--unsealed"}).out, HasSubstr("UNSEALED"));
    const auto rows = test::csv_rows(run_app({"export", file_, "--csv", "--unsealed"}).out);
    ASSERT_EQ(rows.size(), 13U);
    EXPECT_EQ(rows[0].back(), "unsealed");
    EXPECT_EQ(rows[1].back(), "yes");
    const FakePython python{folder_, 0};
    const auto report = run_app({"report", file_, "--unsealed"});
    EXPECT_EQ(report.code, 0);
    EXPECT_THAT(report.err, HasSubstr("UNSEALED"));
    EXPECT_THAT(python.asked(), HasSubstr("--unsealed"));
}

TEST_F(UnsealedResults, StayMarkedWhenTheyAreMerged) {
    const std::string merged = folder_.path("merged.h5");
    ASSERT_EQ(run_app({"merge", file_, "-o", merged, "--unsealed"}).code, 0);
    const auto json = run_app({"pareto", merged, "--json"}).json();
    EXPECT_EQ(json["unsealed"], true);
    EXPECT_EQ(json["points"], 12);
}

TEST_F(UnsealedResults, AreNotGoneOnWithButMovedAside) {
    const auto refused = run_app({sweep_, "-o", file_});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, HasSubstr("--fresh"));
    EXPECT_EQ(run_app({sweep_, "-o", file_, "--fresh"}).code, 0);
    EXPECT_TRUE(std::filesystem::exists(file_ + ".previous"));
    EXPECT_EQ(run_app({"pareto", file_, "--json"}).json().contains("unsealed"), false);
}

TEST(CsvCell, QuotesWhatNeedsIt) {
    EXPECT_EQ(csv_cell("plain"), "plain");
    EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
    EXPECT_EQ(csv_cell("say \"x\""), "\"say \"\"x\"\"\"");
}

}  // namespace
}  // namespace dse::app
